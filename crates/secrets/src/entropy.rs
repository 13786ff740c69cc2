//! Tests whether a value looks random: its entropy against the first percentile of random values of its alphabet
//! and length, and a model of the letter pairs of language.

/// Shannon entropy in bits per byte.
pub(crate) fn entropy(value: &[u8]) -> f32 {
    let mut counts = [0_u16; 256];
    for byte in value {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count = count.saturating_add(1);
        }
    }
    let total = value.len().max(1) as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f32::from(*count) / total)
        .map(|part| -part * part.log2())
        .sum()
}

/// Number of different bytes.
pub(crate) fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    value
        .iter()
        .filter(|byte| !std::mem::replace(seen.get_mut(usize::from(**byte)).unwrap_or(&mut true), true))
        .count()
}

/// First percentile of the entropy of random values, by length: from 100,000 draws each, checked by a test below;
/// linear interpolation between lengths.
const HEX_FLOOR: &[(usize, f32)] = &[
    (8, 1.91),
    (12, 2.36),
    (16, 2.66),
    (20, 2.90),
    (24, 3.04),
    (32, 3.26),
    (40, 3.41),
    (64, 3.63),
    (128, 3.82),
];
const BASE62_FLOOR: &[(usize, f32)] = &[
    (8, 2.41),
    (10, 2.72),
    (12, 3.02),
    (16, 3.33),
    (20, 3.65),
    (24, 3.86),
    (32, 4.20),
    (40, 4.45),
    (64, 4.90),
    (128, 5.40),
];
/// Lower-case letters and digits.
const BASE36_FLOOR: &[(usize, f32)] = &[
    (8, 2.16),
    (10, 2.52),
    (12, 2.79),
    (16, 3.15),
    (20, 3.40),
    (24, 3.61),
    (32, 3.90),
    (40, 4.11),
    (64, 4.47),
    (128, 4.82),
];

/// The entropy that 99 of 100 random values of this alphabet and length exceed.
pub(crate) fn floor(value: &[u8]) -> f32 {
    let hex = value.iter().all(u8::is_ascii_hexdigit);
    let upper = value.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let lower = value.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let table = if hex {
        HEX_FLOOR
    } else if upper.min(lower) * 16 > upper.max(lower) {
        // A single letter of the other case doesn't make the alphabet larger.
        BASE62_FLOOR
    } else {
        BASE36_FLOOR
    };
    let length = value.len();
    let above = table.iter().find(|(at, _)| *at >= length);
    let below = table.iter().rev().find(|(at, _)| *at <= length);
    match (below, above) {
        (Some((from, low)), Some((to, high))) if to > from => {
            low + (high - low) * (length - from) as f32 / (to - from) as f32
        }
        (Some((_, bound)), _) | (_, Some((_, bound))) => *bound,
        (None, None) => 0.0,
    }
}

/// The most frequent letter pairs of English text and identifiers.
const PAIRS: &str = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le \
    ve co me \
    de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot \
    il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai \
    sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ui fr oo ag \
    av sp ap ff ck do ef ls ep ue bo cr ov ob rm rd rk rn da ga go gr ki ks lt ms nf nk ny og ok pi pp \
    pt qu sc sk sm sn tt ub uc ud ug um up va ys bu br cu cl ey dr du ds fl fu gu gi if ju jo ja ku lu \
    ld mu nu py sw tw ye yo ym xt xp wn wr xa ss sy ki ib oc od ak ew";

/// One bit per pair of letters.
static LANGUAGE: [u32; 26] = {
    let pairs = PAIRS.as_bytes();
    let mut table = [0_u32; 26];
    let mut index = 0;
    #[allow(clippy::indexing_slicing)] // constant evaluation over a text of letters and spaces
    while index + 1 < pairs.len() {
        if pairs[index].is_ascii_lowercase() && pairs[index + 1].is_ascii_lowercase() {
            table[(pairs[index] - b'a') as usize] |= 1 << (pairs[index + 1] - b'a');
        }
        index += 1;
    }
    table
};

/// Share of adjacent letters that are language pairs, and the number of pairs.
pub(crate) fn language(value: &[u8]) -> (f32, usize) {
    let (mut known, mut pairs) = (0_usize, 0_usize);
    for pair in value.windows(2) {
        let [left, right] = pair else { continue };
        if left.is_ascii_alphabetic() && right.is_ascii_alphabetic() {
            // A capital inside a camel-case word begins a new word. In a random value case changes anywhere, so
            // pairs across it count too.
            pairs += 1;
            let row = LANGUAGE.get(usize::from(left.to_ascii_lowercase() - b'a')).copied().unwrap_or(0);
            known += usize::from(row >> (right.to_ascii_lowercase() - b'a') & 1 == 1);
        }
    }
    (if pairs == 0 { 0.0 } else { known as f32 / pairs as f32 }, pairs)
}

/// Number of neighbours of different kinds (upper, lower, digit, other). A camel-case change (`aB`, `Ab`) counts
/// too.
pub(crate) fn changes(value: &[u8]) -> usize {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    value.windows(2).filter(|pair| matches!(pair, [left, right] if kind(*left) != kind(*right))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random() -> impl FnMut() -> usize {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as usize
        }
    }

    #[test]
    fn the_floors_are_the_first_percentile_of_random_draws() {
        // The tables are from 100,000 draws; this smaller number reproduces them to within a step at short lengths.
        const DRAWS: usize = 4_000;
        let base62 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let mut random = random();
        for (table, alphabet) in
            [(HEX_FLOOR, &base62[..16]), (BASE36_FLOOR, &base62[..36]), (BASE62_FLOOR, &base62[..])]
        {
            for (length, floor) in table {
                let mut draws: Vec<f32> = (0..DRAWS)
                    .map(|_| {
                        let value: Vec<u8> =
                            (0..*length).map(|_| alphabet[random() % alphabet.len()]).collect();
                        entropy(&value)
                    })
                    .collect();
                draws.sort_by(f32::total_cmp);
                assert!(
                    (draws[DRAWS / 100] - floor).abs() < 0.15,
                    "{length}: {} is not {floor}",
                    draws[DRAWS / 100]
                );
            }
        }
    }

    #[test]
    fn random_values_pass_their_own_floor_and_words_are_language() {
        let mut random = random();
        let alphabet = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for length in [16, 20, 32, 40, 64] {
            let draws = 400;
            let below = (0..draws)
                .filter(|_| {
                    let value: Vec<u8> = (0..length).map(|_| alphabet[random() % 62]).collect();
                    entropy(&value) < floor(&value)
                })
                .count();
            assert!(below * 100 / draws <= 3, "{length}: {below} of {draws}");
        }
        for words in ["authenticationmanager", "getConnectionString", "someLongVariableName"] {
            assert!(language(words.as_bytes()).0 > 0.7, "{words}");
        }
        assert!(language(b"xKqZvRtWpLmQjHdB").0 < 0.5);
    }
}
