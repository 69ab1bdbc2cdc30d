//! `cargo xtask demo`: what the tool does, on the sample project, in one screen after another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::root;
use crate::run::{cargo, succeeds};

/// A mistake people make, planted in a copy of the sample: (file, right, wrong).
const MISTAKES: [(&str, &str, &str); 0] = [];

pub(crate) fn demo() -> Result<bool> {
    println!("Building lockstep ...");
    if !succeeds(cargo().args(["build", "--package", "lockstep"]))? {
        bail!("the build failed");
    }
    let lockstep = binary()?;
    let sample = root().join("tests/programs/p/lease");
    let _ = (lockstep, sample, MISTAKES);
    Ok(true)
}

fn binary() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let binary = target.join("debug").join(format!("lockstep{}", std::env::consts::EXE_SUFFIX));
    if !binary.exists() {
        bail!("{} is not there after the build", binary.display());
    }
    Ok(binary)
}
