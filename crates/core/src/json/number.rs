//! JSON numbers by exact decimal value, with one spelling per value.

use std::fmt;

/// The reader refuses longer numbers: no amount needs more digits, and arithmetic on them is slow.
const MAX_DIGITS: usize = 1_100;

/// A number in the one canonical spelling of its decimal value: integers of up to 400 digits without an exponent,
/// fractions from 1e-6 up in plain form, no trailing zeros, no `-0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number {
    text: String,
}

impl Number {
    /// Reads a number in JSON grammar; `None` if it isn't one or has too many digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        if whole.is_empty()
            || (whole.len() > 1 && whole.starts_with('0'))
            || mantissa.len() > MAX_DIGITS
            || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0');
        // `point`: position of the decimal point relative to the start of `significant`.
        let leading = i64::try_from(digits.len().saturating_sub(significant.len())).ok()?;
        let point = i64::try_from(whole.len()).ok()?.saturating_sub(leading).saturating_add(exponent);
        let significant = significant.trim_end_matches('0');
        if significant.is_empty() {
            return Some(Self { text: "0".to_owned() });
        }
        Some(Self { text: spell(negative, significant, point)? })
    }

    /// The canonical spelling.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.text
    }

    /// The value as `i64`, when it is an integer in range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// The nearest double.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// Whether the value is an integer, of any size.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        !self.text.contains('.') && !self.text.contains("e-")
    }

    /// Decimal places of the plain spelling; `None` when it is spelled with an exponent.
    #[must_use]
    pub fn places(&self) -> Option<usize> {
        if self.text.contains('e') {
            return None;
        }
        Some(self.text.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
    }

    pub(crate) fn to_serde(&self) -> serde_json::Value {
        if let Ok(value) = self.text.parse::<i64>() {
            return value.into();
        }
        if let Ok(value) = self.text.parse::<u64>() {
            return value.into();
        }
        serde_json::Number::from_f64(self.as_f64()).map_or(serde_json::Value::Null, serde_json::Value::Number)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self { text: value.to_string() }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: i64 = digits.parse().ok()?;
    Some(if text.starts_with('-') { value.saturating_neg() } else { value })
}

fn spell(negative: bool, digits: &str, point: i64) -> Option<String> {
    let count = i64::try_from(digits.len()).ok()?;
    let mut out = String::new();
    if negative {
        out.push('-');
    }
    let integer = point >= count;
    if (integer && point <= 400) || (!integer && point > 0) {
        // Integers of up to 400 digits are written out: exactness matters more than brevity.
        let split = usize::try_from(point.min(count)).ok()?;
        out.push_str(digits.get(..split)?);
        if integer {
            out.extend(std::iter::repeat_n('0', usize::try_from(point.saturating_sub(count)).ok()?));
        } else {
            out.push('.');
            out.push_str(digits.get(split..)?);
        }
    } else if point <= 0 && point > -6 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', usize::try_from(point.saturating_neg()).ok()?));
        out.push_str(digits);
    } else {
        let (first, rest) = digits.split_at_checked(1)?;
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let exponent = point.saturating_sub(1);
        out.push('e');
        if exponent > 0 {
            out.push('+');
        }
        out.push_str(&exponent.to_string());
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_per_value() {
        for (texts, canonical) in [
            (&["1", "1.0", "1e0", "10e-1", "0.1e1"][..], "1"),
            (&["0", "-0", "0.0", "0e9"], "0"),
            (&["1000", "1e3", "1.0E+3"], "1000"),
            (&["-2.50", "-25e-1"], "-2.5"),
            (&["0.0000001", "1e-7"], "1e-7"),
            (&["9223372036854775808"], "9223372036854775808"),
        ] {
            for text in texts {
                assert_eq!(Number::parse(text).unwrap().as_text(), canonical, "{text}");
            }
        }
    }

    #[test]
    fn what_json_does_not_allow_is_no_number() {
        for text in
            ["", "-", "01", "1.", ".5", "+1", "1e", "0x10", "NaN", "Infinity", "1_000", "1e9999999999"]
        {
            assert!(Number::parse(text).is_none(), "{text}");
        }
    }
}
