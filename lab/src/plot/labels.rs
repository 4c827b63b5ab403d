//! Places for the labels of curves.

use std::ops::Range;

use super::LABEL_GAP;

/// Pixels between a label and its curve.
const GAP: i32 = 8;
/// Maximum number of points of a curve beside which its label is tried.
const TRIED: usize = 60;

/// A place in pixels, from the left and from the top.
type Point = (i32, i32);

/// The place of each curve's label, by its left end and its middle row, in pixels; `None` for a curve without points.
///
/// A label stands to the right of the end of its curve, else beside another point of it, the later the better, where it hides
/// no curve and no other label. If there is no such place, or the plane ends there, it stands beside the plane, and such labels are
/// shifted apart as little as necessary. `sizes` are the widths and heights of the labels, `plane` and `rows` the columns and the
/// rows of the plane.
pub(super) fn place(
    curves: &[Vec<Point>],
    sizes: &[(i32, i32)],
    plane: &Range<i32>,
    rows: Range<i32>,
) -> Vec<Option<Point>> {
    let mut places: Vec<Option<Point>> = vec![None; curves.len()];
    let mut beside = Vec::new();
    for (index, &(width, height)) in sizes.iter().enumerate() {
        let curve = &curves[index];
        let Some(&(x, y)) = curve.last() else { continue };
        let is_free = |&(left, middle): &Point| {
            let columns = left - 2..left + width + 2;
            let (up, down) = (middle - height / 2 - 1, middle + height / 2 + 1);
            let is_inside = plane.start <= columns.start
                && columns.end <= plane.end
                && rows.start <= up
                && down <= rows.end;
            let is_apart = |(place, size): (&Option<Point>, &(i32, i32))| {
                place.is_none_or(|(x, y)| {
                    x + size.0 < columns.start || columns.end < x || (y - middle).abs() > height
                })
            };
            let meets = |pair: &[Point]| crosses(pair[0], pair[1], &columns, &(up..down));
            is_inside
                && places.iter().zip(sizes).all(is_apart)
                && !curves.iter().flat_map(|curve| curve.windows(2)).any(meets)
        };
        let shifts = [0, -height / 2, height / 2, -height, height];
        let at_end = shifts.into_iter().map(|shift| (x + GAP, y + shift));
        let tried = curve.iter().rev().step_by(curve.len().div_ceil(TRIED));
        let along = tried.flat_map(|&(x, y)| [(x + GAP, y), (x - GAP - width, y)]);
        let mut candidates = at_end.chain(along).filter(|_| x + GAP + width < plane.end);
        match candidates.find(is_free) {
            Some(free) => places[index] = Some(free),
            None => beside.push((y, index)),
        }
    }
    beside.sort_unstable();
    let height = sizes.iter().map(|size| size.1).max().unwrap_or(0) + 2;
    let wanted: Vec<i32> = beside.iter().map(|(y, _)| *y).collect();
    for ((_, index), y) in beside.into_iter().zip(apart(&wanted, height, rows)) {
        places[index] = Some((plane.end + LABEL_GAP, y));
    }
    places
}

/// Tests if a line from one point to another meets a rectangle.
fn crosses(from: Point, to: Point, columns: &Range<i32>, rows: &Range<i32>) -> bool {
    let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
    (0..=steps).any(|step| {
        let at = |from: i32, to: i32| from + (to - from) * step / steps;
        columns.contains(&at(from.0, to.0)) && rows.contains(&at(from.1, to.1))
    })
}

/// Numbers near these sorted ones, at least `gap` apart. Neighbours that would be too close move apart alike; all stay
/// within the range, if it has room.
fn apart(wanted: &[i32], gap: i32, within: Range<i32>) -> Vec<i32> {
    // Of each group of touching numbers: their count, and the sum of the starts that each of them wants for the group.
    let mut groups: Vec<(i32, i32)> = Vec::new();
    for &number in wanted {
        let mut new = (1, number);
        while let Some(&(count, sum)) = groups.last()
            && sum / count + count * gap > new.1 / new.0
        {
            groups.pop();
            new = (count + new.0, sum + new.1 - count * gap * new.0);
        }
        groups.push(new);
    }
    let start = |(count, sum): (i32, i32)| (0..count).map(move |place| sum / count + place * gap);
    let mut numbers: Vec<i32> = groups.into_iter().flat_map(start).collect();
    let mut most = within.end;
    for number in numbers.iter_mut().rev() {
        *number = (*number).min(most);
        most = *number - gap;
    }
    let mut least = within.start;
    for number in &mut numbers {
        *number = (*number).max(least);
        least = *number + gap;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_apart_as_little_as_necessary() {
        for (wanted, expected) in [
            (&[10, 50, 90][..], &[10, 50, 90][..]),
            (&[50, 50], &[45, 55]),
            (&[40, 50, 52, 90], &[37, 47, 57, 90]),
            (&[0, 0, 0], &[0, 10, 20]),
            (&[100, 100], &[90, 100]),
            (&[], &[]),
        ] {
            assert_eq!(apart(wanted, 10, 0..100), expected, "{wanted:?}");
        }
    }

    #[test]
    fn a_label_stands_at_the_end_of_its_curve_or_beside_the_plane() {
        let curves = [
            vec![(0, 50), (40, 50)],
            vec![(0, 80), (100, 80)],
            vec![],
            // Its end is hemmed in.
            vec![(10, 20), (20, 20)],
            vec![(30, 0), (30, 60), (32, 60), (32, 0)],
        ];
        let places = place(&curves, &[(30, 10); 5], &(0..100), 0..100);
        let beside = 100 + LABEL_GAP;
        assert_eq!(
            places,
            [Some((48, 50)), Some((beside, 80)), None, Some((beside, 20)), Some((40, 10))]
        );
    }
}
