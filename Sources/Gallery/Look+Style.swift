extension Look {
    /// `gallery/gallery.css`.
    static let styleText = #"""
        :root {
            color-scheme: light dark;
            --ground: #fbfbfd; --words: #1b2230; --quiet: #566074; --line: #d9dde6; --plain: #e8ebf2; --link: #1d4ed8;
            --here: #2f6f9f; --pruned: #a3b8cc; --missing: #e0a100; --failed: #c62828; --heart: #c2185b;
            font: 16px/1.55 system-ui, sans-serif;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --ground: #0b0e14; --words: #e6e9f0; --quiet: #a3acbd; --line: #272e3b; --plain: #1a202c; --link: #8ab4ff;
                --here: #5ba4d9; --pruned: #3c566e; --missing: #f2b632; --failed: #ff6b5e; --heart: #ff7eb0;
            }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--words); }
        a { color: var(--link); }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        h2:focus-visible, h3:focus-visible, main:focus-visible { outline: none; }
        .skip { position: absolute; left: -999px; }
        .skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--ground); padding: .5rem; }

        header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; padding: .75rem 1rem .5rem; }
        header h1 { font-size: 1.15rem; margin: 0; flex: 1 1 auto; }
        header h1 a { color: inherit; text-decoration: none; }
        header p, header form { margin: 0; }
        label { color: var(--quiet); }
        input {
            font: inherit; color: inherit; background: var(--plain); border: 1px solid var(--quiet); border-radius: .4rem;
            padding: .3rem .6rem; width: min(16rem, 40vw);
        }

        #archive { display: flex; overflow-x: auto; padding: .25rem 1rem .5rem; border-bottom: 1px solid var(--line); }
        #archive a {
            flex: 1 0 1.85rem; display: block; font-size: .7rem; line-height: 1.6rem; text-align: center; color: var(--quiet);
            text-decoration: none; border-radius: .2rem;
        }
        #archive a:hover, #archive a[aria-current] { color: var(--words); background: var(--plain); }
        #archive a[aria-current] { font-weight: 700; }
        #archive a:focus-visible { outline-offset: -3px; }
        canvas { display: block; width: 100%; height: .5rem; image-rendering: pixelated; border-left: 1px solid var(--line); }
        .legend { margin: 0; padding: .25rem 1rem 0; font-size: .75rem; color: var(--quiet); }
        .legend > span { margin-right: .75rem; white-space: nowrap; }
        .key { display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; background: var(--here); }
        .key.p { background: var(--pruned); }
        .key.m { background: var(--missing); }
        .key.f { background: var(--failed); }
        #state { margin: 0; padding: .5rem 1rem 0; color: var(--quiet); }
        /* Not hidden: screen readers would not hear what it says next. */
        #state:empty { padding: 0; }

        main { padding: .5rem 1rem 3rem; }
        h2 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
        h3 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; scroll-margin-top: 1rem; }
        h3 small { font-weight: 400; color: var(--quiet); }
        .months { margin: 0 -.4rem; }
        .months a { display: inline-block; padding: .2rem .4rem; border-radius: .2rem; }
        .months a[aria-current] { color: var(--words); background: var(--plain); font-weight: 700; text-decoration: none; }
        section { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
        .wall {
            list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem;
            grid-template-columns: repeat(auto-fill, minmax(min(clamp(10rem, 9vw, 16rem), 45%), 1fr));
        }
        .tile { aspect-ratio: 4 / 3; background: var(--plain); border-radius: .3rem; overflow: hidden; font-size: .85rem; }
        .tile a { position: relative; display: block; height: 100%; color: inherit; text-decoration: none; }
        .tile a:focus-visible { outline-offset: -3px; }
        .tile img { width: 100%; height: 100%; object-fit: cover; display: block; }
        .tile span, .tile p { display: block; padding: .5rem; margin: 0; line-height: 1.3; overflow-wrap: anywhere; }
        .tile time { font-weight: 700; }
        .tile .heart { display: inline; padding: 0; }
        .picture a > span {
            position: absolute; inset: auto 0 0; color: #fff; padding: 1.4rem .5rem .35rem;
            background: linear-gradient(transparent, rgb(0 0 0 / 75%) 1.4rem);
        }
        .dated a time { display: block; }
        button {
            display: block; margin: 1rem auto; font: inherit; color: var(--words); background: var(--plain);
            border: 1px solid var(--quiet); border-radius: .4rem; padding: .4rem 1rem;
        }
        button[hidden] { display: none; }
        .failed, .progress { color: var(--quiet); }
        .progress { margin: .5rem 0; }
        .progress:empty { margin: 0; }
        .tile .play {
            position: absolute; inset: .35rem .35rem auto auto; color: #fff; background: rgb(0 0 0 / 72%);
            border-radius: 1rem; padding: 0 .5rem;
        }
        /* Below the words: the date can be as wide as the tile. */
        .words .play { position: static; display: inline-block; margin: 0 .5rem; }
        .heart { color: var(--heart); }
        .picture .heart { color: #ff9cc3; }

        article { max-width: 80rem; margin: 0 auto; }
        .steps { display: flex; justify-content: space-between; gap: 1rem; }
        .steps > * { flex: 1; padding: .3rem 0; white-space: nowrap; }
        .steps > :nth-child(2), article h2, article .date, .note { text-align: center; }
        .steps > :last-child { text-align: right; }
        .date, .credit, .note { color: var(--quiet); margin: .25rem 0; }
        figure { margin: .75rem 0; }
        figure img, figure video {
            display: block; max-width: 100%; max-height: 85vh; width: auto; height: auto; margin: 0 auto; background: var(--plain);
        }
        /* The words below do not jump when the picture comes. */
        figure img[style] { width: min(100%, var(--width), 85vh * var(--ratio)); aspect-ratio: var(--ratio); }
        .player { display: block; text-align: center; }
        .text, .credit, .links { max-width: 42rem; margin: .75rem auto; overflow-wrap: anywhere; }
        .links { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
        @media (prefers-reduced-motion: no-preference) { .tile img { transition: transform .2s; } .tile a:hover img { transform: scale(1.04); } }

        """#
}
