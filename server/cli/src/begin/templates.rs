//! What `lockstep new` begins with. In paths and texts `NAME` stands for the name of the project.

use super::args::Template;
use super::folder::File;

type Pattern = &'static [(&'static str, &'static str)];

macro_rules! pattern {
    ($folder:literal: $($path:literal = $from:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../templates/", $folder, "/", $from)))),*]
    };
}

const CLIENT_SERVER: Pattern = pattern!("client-server":
    "NAME.pproj" = "project.pproj",
    "PSrc/Protocol.p" = "PSrc/Protocol.p",
    "PSrc/Client.p" = "PSrc/Client.p",
    "PSrc/Server.p" = "PSrc/Server.p",
    "PSpec/Guarantees.p" = "PSpec/Guarantees.p",
    "PTst/Tests.p" = "PTst/Tests.p",
    "README.md" = "README.md",
);

const RING: Pattern = pattern!("ring":
    "NAME.pproj" = "project.pproj",
    "PSrc/Protocol.p" = "PSrc/Protocol.p",
    "PSrc/Node.p" = "PSrc/Node.p",
    "PSpec/Guarantees.p" = "PSpec/Guarantees.p",
    "PTst/Tests.p" = "PTst/Tests.p",
    "README.md" = "README.md",
);

const ICET: Pattern = pattern!("icet": "NAME.icet" = "NAME.icet", "README.md" = "README.md");

pub(super) fn files(template: Template, name: &str) -> Vec<File> {
    let pattern = match template {
        Template::ClientServer => CLIENT_SERVER,
        Template::Ring => RING,
        Template::Icet => ICET,
    };
    let named = |text: &str| text.replace("NAME", name);
    pattern.iter().map(|(path, text)| File { path: named(path), text: named(text) }).collect()
}

/// What to do first.
pub(super) fn steps(template: Template) -> &'static [&'static str] {
    match template {
        Template::ClientServer => &["lockstep check", "lockstep explore NAME.pproj tcTwoClients"],
        Template::Ring => &["lockstep check", "lockstep explore NAME.pproj tcRising"],
        Template::Icet => &["lockstep check", "lockstep sequentialize NAME.icet"],
    }
}
