// Live regions rest in hidden tabs, and forms that answer with a region start over.

/** The outcome of an action stays for this long: the next renewal of the region removes it. */
const OUTCOME_MS = 4_000;
let shownUntil = 0;

/** The part of an htmx request that is read here. */
interface HtmxRequest {
  sourceElement: Element;
  sourceEvent: Event | undefined;
  request: { method: string };
  status: string;
}

document.addEventListener('htmx:before:request', (event) => {
  const { sourceEvent } = requestOf(event);
  const isResting = document.hidden || Date.now() < shownUntil;
  if (isResting && sourceEvent?.type === 'every') event.preventDefault();
});

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  for (const region of document.querySelectorAll('[hx-trigger^="every "]')) {
    region.dispatchEvent(new CustomEvent('every'));
  }
});

document.addEventListener('htmx:finally:request', (event) => {
  // In place of a form that the answer removed, htmx names the region.
  const { request, sourceElement, status } = requestOf(event);
  if (request.method === 'POST') shownUntil = Date.now() + OUTCOME_MS;
  if (sourceElement instanceof HTMLFormElement && status === 'swapped') sourceElement.reset();
});

// A form that is refused as a whole is too old: the page brings a new one.
document.addEventListener('htmx:response:error', (event) => {
  if (requestOf(event).request.method === 'POST') location.reload();
});

function requestOf(event: Event): HtmxRequest {
  return (event as CustomEvent<{ ctx: HtmxRequest }>).detail.ctx;
}
