//! The certificate of a sequentialization: which rule was applied to whom, in order.

use serde::{Deserialize, Serialize};

use super::value::Who;
use crate::program::SetId;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "rule")]
pub enum Step {
    /// A statement without communication.
    Local {
        who: Who,
    },
    /// The only way a statement can go on.
    Enter {
        who: Who,
    },
    Send {
        who: Who,
    },
    Receive {
        who: Who,
        case: usize,
        from: Who,
    },
    /// One of many messages of unknown origin.
    TakeFromBag {
        who: Who,
        case: usize,
    },
    /// Every way a statement can go on, each to the same place.
    Branch {
        who: Who,
        ways: Vec<Vec<Step>>,
    },
    /// One turn of loops over a set, for each member.
    Loop {
        drivers: Vec<Who>,
        focus: Who,
        steps: Vec<Step>,
    },
    /// The same for all members of a set, side by side.
    Parallel {
        set: SetId,
        focus: Who,
        steps: Vec<Step>,
    },
    /// Any one member, or the one that was chosen before.
    Pick {
        set: SetId,
        chosen: Option<u32>,
        focus: Who,
        steps: Vec<Step>,
    },
    Repeat {
        drivers: Vec<Who>,
        steps: Vec<Step>,
    },
    While {
        driver: Who,
        steps: Vec<Step>,
    },
    /// A loop that serves all members serves this one.
    Serve {
        who: Who,
        focus: Who,
    },
    /// What follows is a part of its own among parallel steps.
    Section,
}

impl Step {
    /// What the rule is called.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Local { .. } => "Local",
            Self::Enter { .. } => "Enter",
            Self::Send { .. } => "Send",
            Self::Receive { .. } => "Receive",
            Self::TakeFromBag { .. } => "TakeFromBag",
            Self::Branch { .. } => "Branch",
            Self::Loop { .. } => "Loop",
            Self::Parallel { .. } => "Parallel",
            Self::Pick { .. } => "Pick",
            Self::Repeat { .. } => "Repeat",
            Self::While { .. } => "While",
            Self::Serve { .. } => "Serve",
            Self::Section => "Section",
        }
    }
}
