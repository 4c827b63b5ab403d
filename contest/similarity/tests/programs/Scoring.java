    enum Move {
        N(-1, 0), E(0, 1), S(1, 0), O(0, -1);

        final int down, right;

        Move(int down, int right) {
            this.down = down;
            this.right = right;
        }

        int[] from(int[] place) {
            return new int[] {(place[0] + down + rows) % rows, (place[1] + right + cols) % cols};
        }
    }

    static final Map<String, Integer> visited = new HashMap<>();

    static boolean isWall(int[] place) {
        return cells[place[0]][place[1]] == '#';
    }

    static double price(char content) {
        switch (content) {
            case '&': return 50;
            case '$': return 20;
            case '@': return 15;
            case '~':
            case '!': return 10;
            case '.': return 2;
            default: return 0;
        }
    }

    /** Looks along a corridor until a wall. */
    static double corridor(Move move, int[] start) {
        double total = 0;
        int[] place = move.from(start);
        for (int far = 1; far < 15 && !isWall(place); far++) {
            total += price(cells[place[0]][place[1]]) / far;
            for (char team : ghosts.keySet()) {
                if (team != me && Arrays.equals(ghosts.get(team), place)) return total - 60.0 / far;
            }
            place = move.from(place);
        }
        return total;
    }

    static Move best(int[] place, java.util.function.ToDoubleFunction<Move> score) {
        return Arrays.stream(Move.values())
            .filter(move -> !isWall(move.from(place)))
            .max(Comparator.comparingDouble(score))
            .orElse(Move.N);
    }

    static String orders() {
        int[] here = pacmans.get(me);
        visited.merge(Arrays.toString(here), 1, Integer::sum);
        Move pacman = best(here, move -> corridor(move, here) - visited.getOrDefault(Arrays.toString(move.from(here)), 0));
        int[] ghost = ghosts.get(me);
        Move hunter = best(ghost, move -> {
            int[] next = move.from(ghost);
            double nearest = 1000;
            for (char team : pacmans.keySet()) {
                if (team == me) continue;
                int[] prey = pacmans.get(team);
                nearest = Math.min(nearest, Math.hypot(prey[0] - next[0], prey[1] - next[1]));
            }
            return -nearest;
        });
        return pacman.name() + hunter.name();
    }
