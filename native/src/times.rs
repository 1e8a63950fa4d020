//! Reads the usual time: ISO 8601 with seconds and an offset.

/// Stands for the microseconds of what has no time.
pub const NO_TIME: i64 = i64::MIN;

/// The number that some digits are, or -1.
fn digits(text: &[u8], from: usize, count: usize) -> i64 {
    let digit = |number, &byte: &u8| Some(number * 10 + i64::from(char::from(byte).to_digit(10)?));
    text.get(from..from + count).and_then(|found| found.iter().try_fold(0, digit)).unwrap_or(-1)
}

/// Microseconds since 1970, and the offset in minutes.
pub fn time(text: &[u8]) -> Option<(i64, i16)> {
    const SEPARATORS: [(usize, u8); 5] = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if text.len() < 20 || SEPARATORS.iter().any(|&(at, byte)| text[at] != byte) {
        return None;
    }
    let (year, month, day) = (digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
    let (hour, minute, second) = (digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2));
    let (micros, zone) = match (text[19], digits(text, 20, 6), digits(text, 20, 3)) {
        (b'.', -1, millis @ 0..) => (millis * 1000, 23),
        (b'.', micros @ 0.., _) => (micros, 26),
        _ => (0, 19),
    };
    let offset = offset(&text[zone..])?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28 + i64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    // Far from the ends of the calendar, so that no offset leaves it.
    let is_month = (1000..=9000).contains(&year) && (1..=12).contains(&month);
    if !is_month || !(1..=lengths[month as usize - 1]).contains(&day) {
        return None;
    }
    if !((0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second)) {
        return None;
    }
    let past = year - 1;
    let days = 365 * past + past / 4 - past / 100 + past / 400 - 719_163
        + lengths[..month as usize - 1].iter().sum::<i64>()
        + day;
    let minutes = (days * 24 + hour) * 60 + minute - i64::from(offset);
    Some(((minutes * 60 + second) * 1_000_000 + micros, offset))
}

fn offset(text: &[u8]) -> Option<i16> {
    let sign = match text {
        b"Z" => return Some(0),
        [b'+', _, _, b':', _, _] => 1,
        [b'-', _, _, b':', _, _] => -1,
        _ => return None,
    };
    let (hours, minutes) = (digits(text, 1, 2), digits(text, 4, 2));
    let is_usual = (0..24).contains(&hours) && (0..60).contains(&minutes);
    is_usual.then_some(sign * (hours * 60 + minutes) as i16)
}
