//! Commands of the protocol (`workspace/executeCommand`), for editors that know nothing of Lockstep's own requests.
//!
//! An editor with commands of its own says so when it comes (`"ownCommands": true` in its initialization options) and gets lenses that
//! lead to those. Any other is offered the commands below; what they find out is told by messages, and what is to be read is a file that
//! the editor is asked to open. Invariant: no lens or action of such an editor leads to a command that is not in `ADVERTISED`.

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{ExecuteCommandOptions, ExecuteCommandParams, WorkDoneProgressOptions};

use crate::handlers::{CancelParams, ExplainParams, Mode, RunParams, TraceParams};

pub(crate) const RUN: &str = "lockstep.runTest";
pub(crate) const EXPLORE: &str = "lockstep.exploreTest";
pub(crate) const CANCEL: &str = "lockstep.cancelTest";
pub(crate) const SHOW_TRACE: &str = "lockstep.showTrace";
pub(crate) const EXPLAIN: &str = "lockstep.explain";

pub(crate) const ADVERTISED: [&str; 5] = [RUN, EXPLORE, CANCEL, SHOW_TRACE, EXPLAIN];

pub(crate) fn advertised() -> ExecuteCommandOptions {
    let commands = ADVERTISED.iter().map(|&command| command.to_owned()).collect();
    ExecuteCommandOptions { commands, work_done_progress_options: WorkDoneProgressOptions::default() }
}

/// What a client wants to be done.
#[derive(Debug)]
pub(crate) enum Wanted {
    Run(RunParams),
    Cancel(CancelParams),
    ShowTrace(TraceParams),
    Explain(ExplainParams),
}

/// The argument of a command: what lenses have, or what a person types.
#[derive(Deserialize)]
#[serde(untagged)]
enum Argument {
    Item { item: String },
    Code { code: String },
    Word(String),
}

impl Argument {
    fn word(self) -> String {
        match self {
            Self::Item { item } => item,
            Self::Code { code } => code,
            Self::Word(word) => word,
        }
    }
}

impl Wanted {
    pub(crate) fn of(params: ExecuteCommandParams) -> Result<Self> {
        let first = params.arguments.into_iter().next().unwrap_or_default();
        let word = match first {
            Value::Null => None,
            argument => {
                let argument = Argument::deserialize(argument);
                Some(
                    argument
                        .map_err(|_| Error::invalid_params("the argument is a test or a code: {\"item\": ...} or a text"))?
                        .word(),
                )
            }
        };
        let needed =
            |what: &str| word.clone().ok_or_else(|| Error::invalid_params(format!("which {what}? There is no argument")));
        match params.command.as_str() {
            RUN => Ok(Self::Run(RunParams { item: needed("test")?, mode: Mode::Run })),
            EXPLORE => Ok(Self::Run(RunParams { item: needed("test")?, mode: Mode::Explore })),
            CANCEL => Ok(Self::Cancel(CancelParams { item: word })),
            SHOW_TRACE => Ok(Self::ShowTrace(TraceParams { item: needed("test")? })),
            EXPLAIN => Ok(Self::Explain(ExplainParams { code: needed("code")? })),
            other => Err(Error::invalid_params(format!("there is no command `{other}`"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wanted(command: &str, arguments: Value) -> Result<Wanted> {
        Wanted::of(serde_json::from_value(json!({ "command": command, "arguments": arguments })).unwrap())
    }

    #[test]
    fn arguments_are_those_of_lenses_or_words() {
        for arguments in [json!([{ "item": "a#A/tc" }]), json!(["a#A/tc"])] {
            assert!(matches!(wanted(RUN, arguments), Ok(Wanted::Run(RunParams { item, mode: Mode::Run })) if item == "a#A/tc"));
        }
        assert!(matches!(wanted(EXPLAIN, json!([{ "code": "LS0305" }])), Ok(Wanted::Explain(_))));
        assert!(matches!(wanted(CANCEL, json!([])), Ok(Wanted::Cancel(CancelParams { item: None }))));
        assert!(wanted(RUN, json!([])).unwrap_err().message.contains("which test?"));
        assert!(wanted(RUN, json!([3])).is_err());
        assert!(wanted("lockstep.debugTrace", json!(["tc"])).unwrap_err().message.contains("no command"));
    }
}
