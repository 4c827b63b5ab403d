    private static final String SENS = "NESO";
    private static final int[][] PAS = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    private static final int LOIN = 1000000;

    static String orders() {
        List<int[]> targets = new ArrayList<>();
        int row = 0;
        while (row < rows) {
            for (int col = 0; col < cols; col++) {
                if (cells[row][col] == '#' || cells[row][col] == ' ') continue;
                targets.add(new int[] {row, col});
            }
            row++;
        }
        List<int[]> enemies = new ArrayList<>();
        for (Character team : pacmans.keySet()) {
            if (team != me) enemies.add(pacmans.get(team));
        }
        return "" + follow(flood(targets), pacmans.get(me)) + follow(flood(enemies), ghosts.get(me));
    }

    private static char follow(int[][] map, int[] from) {
        int smallest = LOIN;
        char result = 'N';
        for (int i = 0; i < 4; i++) {
            int y = Math.floorMod(from[0] + PAS[i][0], rows);
            int x = Math.floorMod(from[1] + PAS[i][1], cols);
            if (map[y][x] < smallest) {
                result = SENS.charAt(i);
                smallest = map[y][x];
            }
        }
        return result;
    }

    private static int[][] flood(List<int[]> starts) {
        int[][] map = new int[rows][cols];
        for (int y = 0; y < rows; y++) {
            Arrays.fill(map[y], LOIN);
        }
        Deque<int[]> queue = new ArrayDeque<>();
        for (int[] start : starts) {
            map[start[0]][start[1]] = 0;
            queue.add(start);
        }
        while (queue.size() > 0) {
            int[] cell = queue.poll();
            for (int i = 0; i < 4; i++) {
                int y = Math.floorMod(cell[0] + PAS[i][0], rows);
                int x = Math.floorMod(cell[1] + PAS[i][1], cols);
                if (cells[y][x] == '#' || map[y][x] != LOIN) continue;
                map[y][x] = map[cell[0]][cell[1]] + 1;
                queue.add(new int[] {y, x});
            }
        }
        return map;
    }
