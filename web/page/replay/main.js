// The page of games that a server plays, or of one game that is in the page.

import { find } from "../shared/element.js";
import { Live } from "./live.js";
import { Page } from "./page.js";
import { say } from "./words.js";

new Page((page) => {
  const { session, lobby } = page;
  return new Live({
    begin: (id, film) => {
      lobby.hide();
      session.begin(id, film);
    },
    skipped: (id, frames) => session.skipped(id, frames),
    frame: (id, frame) => session.frame(id, frame),
    end: (id) => session.end(id),
    gathering: (gathering) => {
      if (page.isEmbedded) return;
      find("nothing").hidden = true;
      if (!page.film) page.title(gathering.game, []);
      lobby.show(gathering);
    },
    games: () => {
      page.listGames();
      session.choose();
    },
    connected: (yes) => {
      find("connection").textContent = yes ? say.connected : say.disconnected;
      find("connection").className = yes ? "on" : "off";
      if (!yes) {
        session.disconnected();
        lobby.hide();
      }
      page.changed();
    },
  });
});
