    static final int[] DL = {-1, 0, 1, 0};
    static final int[] DC = {0, 1, 0, -1};
    static final String LETTRES = "NESO";

    /** Parcours en largeur : la distance de chaque case aux sources. */
    static int[][] distances(List<int[]> sources) {
        int[][] distance = new int[rows][cols];
        for (int[] ligne : distance) Arrays.fill(ligne, Integer.MAX_VALUE);
        Deque<int[]> file = new ArrayDeque<>();
        for (int[] source : sources) {
            distance[source[0]][source[1]] = 0;
            file.add(source);
        }
        while (!file.isEmpty()) {
            int[] courante = file.poll();
            for (int k = 0; k < 4; k++) {
                int l = Math.floorMod(courante[0] + DL[k], rows);
                int c = Math.floorMod(courante[1] + DC[k], cols);
                if (cells[l][c] != '#' && distance[l][c] == Integer.MAX_VALUE) {
                    distance[l][c] = distance[courante[0]][courante[1]] + 1;
                    file.add(new int[] {l, c});
                }
            }
        }
        return distance;
    }

    static char descendre(int[][] distance, int[] position) {
        char meilleure = 'N';
        int minimum = Integer.MAX_VALUE;
        for (int k = 0; k < 4; k++) {
            int l = Math.floorMod(position[0] + DL[k], rows);
            int c = Math.floorMod(position[1] + DC[k], cols);
            if (distance[l][c] < minimum) {
                minimum = distance[l][c];
                meilleure = LETTRES.charAt(k);
            }
        }
        return meilleure;
    }

    static String orders() {
        List<int[]> objets = new ArrayList<>();
        for (int l = 0; l < rows; l++) {
            for (int c = 0; c < cols; c++) {
                if (cells[l][c] != '#' && cells[l][c] != ' ') {
                    objets.add(new int[] {l, c});
                }
            }
        }
        List<int[]> proies = new ArrayList<>();
        for (Map.Entry<Character, int[]> entree : pacmans.entrySet()) {
            if (entree.getKey() != me) {
                proies.add(entree.getValue());
            }
        }
        char pacman = descendre(distances(objets), pacmans.get(me));
        return "" + pacman + descendre(distances(proies), ghosts.get(me));
    }
