//! Reads the usual time: ISO 8601 with seconds and an offset.

/// Microseconds since 1970, and the offset in minutes.
pub type Time = (i64, i16);

fn digits(text: &[u8], from: usize, count: usize) -> Option<i64> {
    let mut number = 0;
    for &byte in text.get(from..from + count)? {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + i64::from(byte - b'0');
    }
    Some(number)
}

pub fn time(text: &[u8]) -> Option<Time> {
    const SEPARATORS: [(usize, u8); 5] = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if text.len() < 20 || SEPARATORS.iter().any(|&(at, byte)| text[at] != byte) {
        return None;
    }
    let (year, month, day) = (digits(text, 0, 4)?, digits(text, 5, 2)?, digits(text, 8, 2)?);
    let (hour, minute, second) = (digits(text, 11, 2)?, digits(text, 14, 2)?, digits(text, 17, 2)?);
    let (micros, zone) = match text[19] {
        b'.' if digits(text, 20, 6).is_some() => (digits(text, 20, 6)?, 26),
        b'.' => (digits(text, 20, 3)? * 1000, 23),
        _ => (0, 19),
    };
    let offset = offset(&text[zone..])?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28 + i64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    // Far from the ends of the calendar, so that no offset leaves it.
    let is_date = (1000..=9000).contains(&year) && (1..=12).contains(&month);
    if !is_date
        || day < 1
        || day > lengths[month as usize - 1]
        || hour > 23
        || minute > 59
        || second > 59
    {
        return None;
    }
    let seconds =
        ((days(year, month, day) * 24 + hour) * 60 + minute - i64::from(offset)) * 60 + second;
    Some((seconds * 1_000_000 + micros, offset))
}

fn offset(text: &[u8]) -> Option<i16> {
    match text {
        b"Z" => Some(0),
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let (hours, minutes) = (digits(text, 1, 2)?, digits(text, 4, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = (hours * 60 + minutes) as i16;
            Some(if *sign == b'-' { -offset } else { offset })
        }
        _ => None,
    }
}

/// Days from 1970 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that a leap day is the last of its year.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
