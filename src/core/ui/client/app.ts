// The script of all pages, bundled to assets/app.js by deploy/styles.js. Every page works without it.
import 'htmx.org';
import '@github/clipboard-copy-element';
import '@github/relative-time-element';
import './chips.js';
import './dialogs.js';
import './copy.js';
import './hotkeys.js';
import './line-ranges.js';
import './lists.js';
import './live-regions.js';
import './markdown.js';
import './palette.js';
import './suggestions.js';
// After the scripts that hide, show or send what it looks at.
import './focus-return.js';
