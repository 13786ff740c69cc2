//! Arguments of a call: taken apart, and folded where they are literal.

use super::*;

impl Reader<'_> {
    /// Tokens of each argument of the call whose `(` comes first; how many tokens that took.
    pub(super) fn arguments(&self, tokens: &[Token]) -> (Vec<Vec<Token>>, usize) {
        let mut depth = 0_usize;
        let mut inside = Vec::new();
        let mut used = 0;
        for token in tokens {
            used += 1;
            match token {
                Token::Mark('(' | '[' | '{') => {
                    depth += 1;
                    if depth > 1 {
                        inside.push(token.clone());
                    }
                }
                Token::Mark(')' | ']' | '}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                    inside.push(token.clone());
                }
                Token::Line => {}
                _ => inside.push(token.clone()),
            }
            if used > LONGEST || !self.pay(1) {
                break;
            }
        }
        (self.split(&inside), used)
    }

    pub(super) fn split(&self, tokens: &[Token]) -> Vec<Vec<Token>> {
        let mut parts = vec![Vec::new()];
        let mut depth = 0_usize;
        for token in tokens {
            match token {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Token::Mark(',') if depth == 0 => {
                    parts.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = parts.last_mut() {
                last.push(token.clone());
            }
        }
        if parts.last().is_some_and(Vec::is_empty) {
            parts.pop();
        }
        parts
    }

    /// The value of an expression: literals, known variables, concatenation. `None` if nothing of it is known.
    pub(super) fn fold(&self, tokens: &[Token]) -> Option<Value> {
        match self.evaluated(tokens) {
            Some(Item::Text(value)) => return Some(value),
            Some(Item::Number(number)) => return Some(Value::literal(number.to_string())),
            _ => {}
        }
        let mut value = Value::default();
        let mut parts = 0;
        let mut seen = false;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            // A variable that is made of itself again and again would grow without an end.
            if value.text.len() > super::LONGEST_TEXT {
                value.text.push('…');
                value.assembled = true;
                return seen.then_some(value);
            }
            match token {
                Token::Text(text) => {
                    value.text.push_str(&text.text);
                    value.assembled |= text.assembled;
                    parts += 1;
                    seen = true;
                }
                Token::Number(number) => {
                    value.text.push_str(number);
                    parts += 1;
                }
                Token::Name(name)
                    if self.values.contains_key(name)
                        && !tokens.get(at).is_some_and(|next| next.is('(') || next.is('[')) =>
                {
                    if let Some(known) = self.values.get(name) {
                        value.text.push_str(&known.text);
                        value.assembled |= known.assembled;
                        parts += 1;
                        seen = true;
                    }
                }
                // `unlink glob "…"`: the pattern is what counts.
                Token::Name(name) if name == "glob" && self.language.bare => {}
                Token::Mark('+') | Token::Mark('.') | Token::Line => {
                    if token.is('.')
                        && matches!(tokens.get(at), Some(Token::Name(_)))
                        && !self.language.lexis.sigils
                    {
                        // A method on a literal; one that spells it anew leaves nothing of it.
                        let anew = matches!(
                            tokens.get(at).and_then(Token::name),
                            Some("translate" | "swapcase" | "tr" | "tr_s" | "encode" | "next" | "succ")
                        );
                        if anew {
                            value.text.clear();
                        }
                        value.text.push('…');
                        at += 1;
                    }
                }
                Token::Mark('(') | Token::Mark(')') if parts == 0 || token.is(')') => {}
                Token::Mark('&' | '%' | '*' | '?' | '|' | '=' | '<' | '>' | '!' | ',' | '[' | '{' | ':') => {
                    value.text.push('…');
                    value.assembled = true;
                    return seen.then_some(value);
                }
                _ => {
                    if !value.text.ends_with('…') {
                        value.text.push('…');
                    }
                    parts += 1;
                }
            }
        }
        value.assembled |= parts > 1;
        seen.then_some(value)
    }

    pub(super) fn value(&self, argument: Option<&Vec<Token>>) -> Value {
        argument.and_then(|tokens| self.fold(tokens)).unwrap_or_else(Value::unknown)
    }

    /// The items of a list literal.
    pub(super) fn list(&self, tokens: &[Token]) -> Option<Vec<Value>> {
        match self.evaluated(tokens) {
            Some(Item::Text(_) | Item::Number(_)) => return None,
            Some(item) => {
                if let Some(list) = texts(item) {
                    return Some(list);
                }
            }
            None => {}
        }
        let inside = match tokens {
            [Token::Mark('['), inside @ .., Token::Mark(']')]
            | [Token::Mark('('), inside @ .., Token::Mark(')')] => inside,
            _ => return None,
        };
        Some(self.split(inside).iter().map(|item| self.fold(item).unwrap_or_else(Value::unknown)).collect())
    }

    /// Whether an argument is a literal text.
    pub(super) fn is_text(&self, argument: Option<&Vec<Token>>) -> bool {
        matches!(argument.map(Vec::as_slice), Some([Token::Text(_)]))
    }
}
