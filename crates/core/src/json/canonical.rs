//! Canonical text directly from any serialisable value: the same bytes as
//! [`Value::canonical`](super::Value::canonical), without building the value first. Every record and every digest of
//! effects is made here.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::{JsonError, JsonErrorKind, Number, by_utf16, read, write_string};

/// The name by which `serde_json` marks raw text; this is how a [`Value`](super::Value) keeps all its digits.
const RAW: &str = "$serde_json::private::RawValue";

pub(super) fn text_of<T: Serialize + ?Sized>(value: &T) -> Result<String, JsonError> {
    let mut out = String::new();
    value.serialize(Writer(&mut out)).map_err(|Fault(error)| error)?;
    Ok(out)
}

/// Wraps [`JsonError`] as a serde error.
#[derive(Debug)]
struct Fault(JsonError);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl serde::ser::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(JsonError::new(JsonErrorKind::Syntax, 0, message.to_string()))
    }
}

/// Appends one value to the text.
struct Writer<'a>(&'a mut String);

impl Writer<'_> {
    fn number(self, text: &str) -> Result<(), Fault> {
        self.0.push_str(text);
        Ok(())
    }

    fn float(self, nearest: Option<serde_json::Number>) -> Result<(), Fault> {
        // NaN and infinities become null, as in other JSON writers.
        match nearest.and_then(|number| Number::parse(&number.to_string())) {
            Some(number) => self.0.push_str(number.as_text()),
            None => self.0.push_str("null"),
        }
        Ok(())
    }
}

/// The elements of an array, and the text after its end: the closing brace of an enum variant.
struct Items<'a> {
    out: &'a mut String,
    first: bool,
    end: &'static str,
}

impl<'a> Items<'a> {
    fn new(out: &'a mut String, end: &'static str) -> Self {
        out.push('[');
        Self { out, first: true, end }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        value.serialize(Writer(self.out))
    }

    fn close(self) -> Result<(), Fault> {
        self.out.push_str(self.end);
        Ok(())
    }
}

/// The members of an object: written in the order received, and sorted at the end if necessary.
struct Members<'a> {
    out: &'a mut String,
    /// Each key, with the range of its member in the text.
    members: Vec<(Cow<'static, str>, Range<usize>)>,
    key: Option<String>,
    end: &'static str,
}

impl<'a> Members<'a> {
    fn new(out: &'a mut String, length: usize, end: &'static str) -> Self {
        out.push('{');
        Self { out, members: Vec::with_capacity(length), key: None, end }
    }

    fn member<T: Serialize + ?Sized>(&mut self, key: Cow<'static, str>, value: &T) -> Result<(), Fault> {
        if !self.members.is_empty() {
            self.out.push(',');
        }
        let start = self.out.len();
        write_string(&key, self.out);
        self.out.push(':');
        value.serialize(Writer(self.out))?;
        self.members.push((key, start..self.out.len()));
        Ok(())
    }

    fn close(mut self) -> Result<(), Fault> {
        let sorted = |pair: &[(Cow<'_, str>, Range<usize>)]| match pair {
            [(left, _), (right, _)] => by_utf16(left, right).is_lt(),
            _ => true,
        };
        if !self.members.windows(2).all(sorted) {
            self.order()?;
        }
        self.out.push_str(self.end);
        Ok(())
    }

    fn order(&mut self) -> Result<(), Fault> {
        let from = self.members.first().map_or(self.out.len(), |(_, place)| place.start);
        self.members.sort_by(|(left, _), (right, _)| by_utf16(left, right));
        if let Some([(twice, _), _]) =
            self.members.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0))
        {
            return Err(Fault(read::duplicate(0, twice)));
        }
        let written = self.out.split_off(from);
        for (index, (_, place)) in self.members.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.out.push_str(written.get(place.start - from..place.end - from).unwrap_or_default());
        }
        Ok(())
    }
}

/// A struct, or raw text that is passed through.
enum Fields<'a> {
    Members(Members<'a>),
    Raw(&'a mut String),
}

impl<'a> serde::Serializer for Writer<'a> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Members<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Fault> {
        self.number(if value { "true" } else { "false" })
    }

    fn serialize_i8(self, value: i8) -> Result<(), Fault> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), Fault> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Fault> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Fault> {
        self.serialize_i128(value.into())
    }

    fn serialize_i128(self, value: i128) -> Result<(), Fault> {
        write!(self.0, "{value}").map_err(serde::ser::Error::custom)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Fault> {
        self.serialize_i64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Fault> {
        self.serialize_i64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Fault> {
        self.serialize_i64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Fault> {
        self.serialize_i128(value.into())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Fault> {
        write!(self.0, "{value}").map_err(serde::ser::Error::custom)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Fault> {
        // Uses the shortest digits that restore this `f32`, not those of the nearest `f64`.
        self.float(value.is_finite().then(|| value.to_string().parse().ok()).flatten())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Fault> {
        self.float(serde_json::Number::from_f64(value))
    }

    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        write_string(value, self.0);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Fault> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), Fault> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Fault> {
        self.number("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Fault> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Fault> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        let mut members = Members::new(self.0, 1, "}");
        members.member(Cow::Borrowed(variant), value)?;
        members.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, Fault> {
        Ok(Items::new(self.0, "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, Fault> {
        Ok(Items::new(self.0, "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Fault> {
        Ok(Items::new(self.0, "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Fault> {
        open_variant(self.0, variant);
        Ok(Items::new(self.0, "]}"))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Members<'a>, Fault> {
        Ok(Members::new(self.0, length.unwrap_or_default(), "}"))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Fields<'a>, Fault> {
        Ok(if name == RAW { Fields::Raw(self.0) } else { Fields::Members(Members::new(self.0, length, "}")) })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members<'a>, Fault> {
        open_variant(self.0, variant);
        Ok(Members::new(self.0, length, "}}"))
    }
}

fn open_variant(out: &mut String, variant: &str) {
    out.push('{');
    write_string(variant, out);
    out.push(':');
}

impl SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.item(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

impl SerializeTuple for Items<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.item(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

impl SerializeTupleStruct for Items<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.item(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

impl SerializeTupleVariant for Items<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.item(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        let key = serde_json::to_value(key).map_err(serde::ser::Error::custom)?;
        self.key = Some(match key {
            serde_json::Value::String(key) => key,
            serde_json::Value::Number(key) => key.to_string(),
            serde_json::Value::Bool(key) => key.to_string(),
            _ => return Err(serde::ser::Error::custom("a key must be a string")),
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let key = self.key.take().ok_or_else(|| serde::ser::Error::custom("a value without its key"))?;
        self.member(Cow::Owned(key), value)
    }

    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Fault> {
        match self {
            Self::Members(members) => members.member(Cow::Borrowed(key), value),
            Self::Raw(out) => {
                let raw = serde_json::to_value(value).map_err(serde::ser::Error::custom)?;
                let text = raw.as_str().ok_or_else(|| serde::ser::Error::custom("invalid raw text"))?;
                out.push_str(&read::parse_own(text.as_bytes()).map_err(Fault)?.canonical());
                Ok(())
            }
        }
    }

    fn end(self) -> Result<(), Fault> {
        match self {
            Self::Members(members) => members.close(),
            Self::Raw(_) => Ok(()),
        }
    }
}

impl SerializeStructVariant for Members<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Fault> {
        self.member(Cow::Borrowed(key), value)
    }

    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::super::{Value, canonical_of, to_value};

    #[derive(Serialize)]
    enum Shape {
        Unit,
        Newtype(u8),
        Tuple(i8, f64),
        Struct { b: Option<bool>, a: char },
    }

    #[derive(Serialize)]
    struct Flat {
        z: u64,
        #[serde(flatten)]
        rest: BTreeMap<&'static str, Value>,
        a: (i32, f32),
        unit: (),
    }

    /// Checks against the slow path: serialise, read, write again.
    fn agrees<T: Serialize>(value: &T) -> String {
        let text = canonical_of(value).unwrap();
        assert_eq!(text, to_value(value).unwrap().canonical());
        text
    }

    #[test]
    fn is_what_the_value_says() {
        let exact = Value::parse(r#"{"n":9007199254740993,"s":"\u0001\"é","d":1.50}"#).unwrap();
        let flat = Flat { z: u64::MAX, rest: BTreeMap::from([("m", exact)]), a: (-1, 0.1), unit: () };
        assert_eq!(
            agrees(&flat),
            r#"{"a":[-1,0.1],"m":{"d":1.5,"n":9007199254740993,"s":"\u0001\"é"},"unit":null,"z":18446744073709551615}"#
        );
        let shapes =
            [Shape::Unit, Shape::Newtype(7), Shape::Tuple(-3, 1e22), Shape::Struct { b: None, a: '"' }];
        assert_eq!(
            agrees(&shapes),
            r#"["Unit",{"Newtype":7},{"Tuple":[-3,10000000000000000000000]},{"Struct":{"a":"\"","b":null}}]"#
        );
        assert_eq!(agrees(&BTreeMap::from([(10, "x"), (9, "y")])), r#"{"10":"x","9":"y"}"#);
        assert_eq!(
            agrees(&BTreeMap::from([("\u{10000}", 1), ("\u{ffff}", 2)])),
            "{\"\u{10000}\":1,\"\u{ffff}\":2}"
        );
        assert_eq!(agrees(&[f64::NAN, -0.0, 1e-7, 5e-324]), "[null,0,1e-7,5e-324]");
        assert_eq!(agrees(&[u64::MAX]), "[18446744073709551615]");
    }

    #[test]
    fn a_key_that_comes_twice_is_refused() {
        let twice = Flat { z: 1, rest: BTreeMap::from([("z", Value::Null)]), a: (0, 0.0), unit: () };
        assert_eq!(canonical_of(&twice).unwrap_err().code(), "json.duplicate_key");
        assert!(canonical_of(&BTreeMap::from([([1, 2], 3)])).is_err());
    }

    proptest::proptest! {
        #[test]
        fn agrees_on_any_document(text in "\\PC{0,32}", n in proptest::num::f64::ANY, i in proptest::num::i64::ANY) {
            agrees(&serde_json::json!({ text.clone(): [n, i, text], "b": {"a": i} }));
        }
    }
}
