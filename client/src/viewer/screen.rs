//! The whole screen.

use game::colour::Colour;
use graph::{Dims, Pos};
use language::said;
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::viewer::bars::{Footer, TitleBar};
use crate::viewer::camera::Camera;
use crate::viewer::chart::Chart;
use crate::viewer::layout::{Layout, SMALLEST};
use crate::viewer::log::Log;
use crate::viewer::popups::{FinalRanking, Help, TooSmall};
use crate::viewer::scores::Scores;
use crate::viewer::{Model, Moment, Status, Theme};

/// Draws what the model shows; nothing before the first state.
pub fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme) {
    let screen = frame.area();
    if screen.width < SMALLEST.width || screen.height < SMALLEST.height {
        return frame.render_widget(TooSmall, screen);
    }
    let Some(moment) = model.shown() else { return };
    let view = moment.view();
    let dims = view.dims();
    let layout = Layout::new(screen, view, model.size());

    let first = || Colour::first(1).find_map(|first| view.place(first));
    let followed = model.followed().and_then(|colour| view.place(colour));
    let on = followed.or_else(first).unwrap_or(Pos { row: 0, col: 0 });
    let camera = Camera::new(dims, layout.scale, layout.board.as_size(), on);
    let whole = camera.rows == dims.rows() && camera.cols == dims.cols();
    let part = (!whole).then(|| part(camera, dims));

    frame.render_widget(TitleBar { model, moment, part, theme }, layout.title);
    view.draw_board(model, camera, theme, layout.board, frame.buffer_mut());
    let one_line = layout.one_line;
    frame.render_widget(
        Scores { moment, followed: model.followed(), one_line, theme },
        layout.scores,
    );
    let marked = model.behind().is_some();
    let chart = Chart { model, shown: moment, marked, theme };
    frame.render_widget(chart, layout.chart);
    frame.render_widget(Log { model, moment, theme }, layout.log);
    frame.render_widget(Footer { model, players: view.players(), theme }, layout.footer);

    let middle = Rect { y: screen.y + 1, height: screen.height - 2, ..screen };
    if model.helps() {
        frame.render_widget(Help { view, theme }, middle);
    } else if is_final(model, moment) {
        frame.render_widget(FinalRanking { moment, theme }, layout.board);
    }
}

/// Visible part of a board that does not fit.
fn part(camera: Camera, dims: Dims) -> String {
    let Camera { from, rows, cols, .. } = camera;
    said!(
        "rows {}-{} of {}, columns {}-{} of {}",
        "lignes {}-{} sur {}, colonnes {}-{} sur {}",
        from.row + 1,
        from.row + rows,
        dims.rows(),
        from.col + 1,
        from.col + cols,
        dims.cols()
    )
}

/// Tests if the state that is shown is the last one of a game.
fn is_final(model: &Model, moment: &Moment) -> bool {
    let newest = model.newest().is_some_and(|newest| std::ptr::eq(newest, moment));
    moment.is_over() || (newest && *model.status() == Status::Over)
}
