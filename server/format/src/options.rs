//! What can be chosen about the layout: three things, and no more.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// The section `[format]` of `lockstep.toml`. What it does not say is not chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// `None`: as most lines of the text have it.
    pub indent: Option<Indent>,
    pub width: Option<Width>,
    pub braces: Option<Braces>,
}

impl Options {
    /// What a whole `lockstep.toml` says about the layout.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct File {
            #[serde(default)]
            format: Options,
        }
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        Ok(file.format)
    }
}

/// How far each level is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    Spaces(u8),
    Tab,
}

impl Indent {
    /// What the first tutorials of P have.
    pub const DEFAULT: Self = Self::Spaces(2);
    const WIDEST: u8 = 16;

    /// `None` if nobody could mean it.
    pub fn spaces(count: u32) -> Option<Self> {
        u8::try_from(count).ok().filter(|count| (1..=Self::WIDEST).contains(count)).map(Self::Spaces)
    }
}

impl<'de> Deserialize<'de> for Indent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl Visitor<'_> for Written {
            type Value = Indent;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number of spaces from 1 to {}, or \"tab\"", Indent::WIDEST)
            }
            fn visit_i64<E: de::Error>(self, count: i64) -> Result<Indent, E> {
                let indent = u32::try_from(count).ok().and_then(Indent::spaces);
                indent.ok_or_else(|| E::invalid_value(de::Unexpected::Signed(count), &self))
            }
            fn visit_str<E: de::Error>(self, word: &str) -> Result<Indent, E> {
                if word == "tab" { Ok(Indent::Tab) } else { Err(E::invalid_value(de::Unexpected::Str(word), &self)) }
            }
        }
        deserializer.deserialize_any(Written)
    }
}

/// How many columns a line may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(pub(crate) u32);

impl Width {
    /// Lines of the tutorials are long; 98 of 100 are shorter than this.
    pub const DEFAULT: Self = Self(120);
    const NARROWEST: u32 = 40;
    const WIDEST: u32 = 1000;

    /// `None` if nobody could mean it.
    pub fn new(columns: u32) -> Option<Self> {
        (Self::NARROWEST..=Self::WIDEST).contains(&columns).then_some(Self(columns))
    }
}

impl<'de> Deserialize<'de> for Width {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let columns = i64::deserialize(deserializer)?;
        let width = u32::try_from(columns).ok().and_then(Self::new);
        width.ok_or_else(|| {
            let range = format!("a number of columns from {} to {}", Self::NARROWEST, Self::WIDEST);
            de::Error::invalid_value(de::Unexpected::Signed(columns), &range.as_str())
        })
    }
}

/// Where the brace stands that opens a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Braces {
    /// Behind the head: `state Init {`.
    #[default]
    SameLine,
    /// On a line of its own.
    NextLine,
}

/// What is used for one text: everything is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) indent: Indent,
    pub(crate) width: u32,
    pub(crate) braces: Braces,
}

impl Style {
    /// How many columns a level is indented by; a tab counts as four.
    pub(crate) fn unit(&self) -> u32 {
        match self.indent {
            Indent::Spaces(count) => count.into(),
            Indent::Tab => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_is_read_among_others() {
        let options = Options::from_toml("[foreign]\nNow = \"any\"\n[format]\nindent = 4\nbraces = \"next-line\"\n").unwrap();
        assert_eq!(options.indent, Some(Indent::Spaces(4)));
        assert_eq!((options.width, options.braces), (None, Some(Braces::NextLine)));
        assert_eq!(Options::from_toml("[format]\nindent = \"tab\"").unwrap().indent, Some(Indent::Tab));
        assert_eq!(Options::from_toml("").unwrap(), Options::default());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in ["indent = 0", "indent = \"wide\"", "width = 7", "width = -1", "braces = \"none\"", "tabs = true"] {
            let error = Options::from_toml(&format!("[format]\n{wrong}")).unwrap_err();
            assert!(error.contains("line 2"), "{error}");
        }
    }
}
