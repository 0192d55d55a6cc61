/**
 * Injected into every page in development: reloads the page after a restart and replaces style
 * sheets in place. The first messages after each connection contain the current versions, so that
 * no change is missed while the page was hidden or the server was down.
 */
const script = document.currentScript;
const seen = { page: script.dataset.page, styles: script.dataset.styles };
let events = null;

// Hidden tabs disconnect, since browsers open at most six connections per server.
function connect() {
  events?.close();
  events = null;
  if (document.visibilityState === 'hidden') return;
  events = new EventSource('/-/dev/events');
  events.addEventListener('page', ({ data }) => {
    if (data !== seen.page) location.reload();
  });
  events.addEventListener('styles', ({ data }) => {
    if (data === seen.styles) return;
    seen.styles = data;
    document.querySelectorAll('link[rel="stylesheet"]').forEach((link) => exchange(link, data));
  });
}

/** Replaces a style sheet once the new one has loaded, to avoid flicker. */
function exchange(link, version) {
  const next = link.cloneNode();
  const address = new URL(link.href);
  address.searchParams.set('styles', version);
  next.href = address.href;
  next.addEventListener('load', () => link.remove());
  link.after(next);
}

document.addEventListener('visibilitychange', connect);
connect();
