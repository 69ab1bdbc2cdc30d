//! What the user can choose. Unknown fields are passed over, so that an older server can live with a newer client.

use serde::Deserialize;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Settings {
    /// Codes of warnings that are switched off.
    pub(crate) allow: Vec<String>,
    pub(crate) lens: Lens,
    pub(crate) inlay_hints: InlayHints,
    /// Taken from the initialization only.
    pub(crate) diagnostics: Diagnostics,
    pub(crate) on_save: OnSave,
    pub(crate) explore: Explore,
    pub(crate) run: Run,
}

/// What is done with the tests that a save affects.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct OnSave {
    pub(crate) search: bool,
    /// For all tests together.
    pub(crate) milliseconds: u64,
}

impl Default for OnSave {
    fn default() -> Self {
        Self { search: true, milliseconds: 1000 }
    }
}

/// Searches of all behaviours that a person asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Explore {
    pub(crate) memory_megabytes: u64,
    pub(crate) seconds: u64,
}

impl Default for Explore {
    fn default() -> Self {
        Self { memory_megabytes: 2048, seconds: 300 }
    }
}

/// Random schedules that a person asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Run {
    pub(crate) schedules: u32,
}

impl Default for Run {
    fn default() -> Self {
        Self { schedules: 1000 }
    }
}

/// Who starts when findings change: the server, or the client for the documents it has open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Diagnostics {
    #[default]
    Push,
    Pull,
}

impl Diagnostics {
    pub(crate) fn is_pull(self) -> bool {
        self == Self::Pull
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Lens {
    pub(crate) enable: bool,
}

impl Default for Lens {
    fn default() -> Self {
        Self { enable: true }
    }
}

/// Which notes are shown between the words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct InlayHints {
    pub(crate) payload_types: bool,
    pub(crate) handlers: bool,
    pub(crate) creates: bool,
}

impl Default for InlayHints {
    fn default() -> Self {
        Self { payload_types: true, handlers: true, creates: true }
    }
}

impl Settings {
    pub(crate) fn shown(&self) -> lockstep_program::Settings {
        lockstep_program::Settings { allowed: self.allow.clone() }
    }

    /// From what the client sends: the section itself, or an object with the section in it.
    pub(crate) fn read(value: &serde_json::Value) -> Result<Self, serde_json::Error> {
        let section = value.get("lockstep").unwrap_or(value);
        if section.is_null() { Ok(Self::default()) } else { Self::deserialize(section) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_come_with_or_without_their_section() {
        let wanted = Settings { allow: vec!["LS1101".to_owned()], lens: Lens { enable: false }, ..Settings::default() };
        let section = json!({ "allow": ["LS1101"], "lens": { "enable": false }, "future": 1 });
        assert_eq!(Settings::read(&section).unwrap(), wanted);
        assert_eq!(Settings::read(&json!({ "lockstep": section })).unwrap(), wanted);
        assert_eq!(Settings::read(&json!(null)).unwrap(), Settings::default());
        assert!(Settings::read(&json!({ "allow": 3 })).is_err());
        let few = json!({ "onSave": { "search": false }, "explore": { "memoryMegabytes": 64 }, "run": {} });
        let few = Settings::read(&few).unwrap();
        assert_eq!((few.on_save, few.run), (OnSave { search: false, milliseconds: 1000 }, Run { schedules: 1000 }));
        assert_eq!(few.explore, Explore { memory_megabytes: 64, seconds: 300 });
        let hints = Settings::read(&json!({ "inlayHints": { "payloadTypes": false } })).unwrap().inlay_hints;
        assert_eq!(hints, InlayHints { payload_types: false, handlers: true, creates: true });
    }
}
