//! Layout of the screen.

use ratatui::layout::{Rect, Size};

use crate::viewer::BoardSize;
use crate::viewer::camera::Scale;
use crate::viewer::scene_view::SceneView;

/// The smallest screen that everything fits on.
pub(super) const SMALLEST: Size = Size::new(80, 24);

/// Least width of the panels beside the board.
const SIDE: u16 = 19;
/// Width kept for the panels when the board is drawn larger than necessary.
const WIDE_SIDE: u16 = 44;
/// Least width of a panel with one line per player.
const ONE_LINE: u16 = 38;
/// Least height of the chart.
const CHART: u16 = 6;
/// Least height of the log.
const LOG: u16 = 5;

/// A log of this height need not go down to the footer.
const LONG_LOG: u16 = 16;

/// The places of all panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) title: Rect,
    pub(super) board: Rect,
    pub(super) scale: Scale,
    pub(super) scores: Rect,
    /// `true` if a player takes one line of the scores, or two.
    pub(super) one_line: bool,
    /// Empty when there is no room.
    pub(super) chart: Rect,
    pub(super) log: Rect,
    pub(super) footer: Rect,
}

impl Layout {
    /// Divides a screen, which must not be smaller than the smallest one. The board is as large as
    /// possible unless a size is wanted.
    pub(super) fn new(screen: Rect, view: &dyn SceneView, wanted: Option<BoardSize>) -> Self {
        let board = view.dims();
        // At most 26.
        let players = view.players() as u16;
        let row = |y| Rect { y, height: 1, ..screen };
        let (title, footer) = (row(screen.y), row(screen.bottom() - 1));
        let body = Rect { y: screen.y + 1, height: screen.height - 2, ..screen };

        let room = |side: u16| Size::new(body.width - side - 1, body.height);
        let fitting = |side| Scale::fitting(board, room(side), |size| view.scale(size));
        let scale = match wanted {
            Some(size) => view.scale(size),
            None if fitting(WIDE_SIDE).size == BoardSize::Large => fitting(WIDE_SIDE),
            None if fitting(SIDE).size == BoardSize::Small => fitting(SIDE),
            None => view.scale(BoardSize::Medium),
        };
        let Size { width, height } = scale.within(board, room(SIDE));
        let place = Rect { width, height, ..body };

        let left = width + 1;
        let beside = Rect { x: body.x + left, width: body.width - left, ..body };
        let one_line = beside.width >= ONE_LINE || 2 * players > body.height / 2;
        let lines = if one_line { players + 2 } else { 2 * players + 1 };
        let scores = Rect { height: lines.min(body.height - LOG), ..beside };
        let rest = Rect { y: scores.bottom(), height: body.height - scores.height, ..beside };

        let below = Rect { y: place.bottom(), height: body.height - height, ..place };
        let wide = Rect { width: body.width, ..below };
        let (chart, log) = if below.height >= CHART && rest.height >= below.height + LONG_LOG {
            // The log does not need the whole height: the chart takes the whole width.
            (wide, Rect { height: rest.height - below.height, ..rest })
        } else if below.height >= CHART && below.width > beside.width / 2 {
            (below, rest)
        } else {
            let chart = match rest.height {
                0..11 => 0,
                height => (height / 2).clamp(CHART, 16),
            };
            split(rest, chart)
        };
        Self { title, board: place, scale, scores, one_line, chart, log, footer }
    }
}

fn split(area: Rect, height: u16) -> (Rect, Rect) {
    let upper = Rect { height, ..area };
    (upper, Rect { y: upper.bottom(), height: area.height - height, ..area })
}
