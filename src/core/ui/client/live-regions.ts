// Live regions rest in hidden tabs, and forms that answer with a region start over.

/** The part of an htmx request that is read here. */
interface HtmxRequest {
  sourceElement: Element;
  sourceEvent: Event | undefined;
  request: { method: string };
  status: string;
}

document.addEventListener('htmx:before:request', (event) => {
  const { sourceEvent } = requestOf(event);
  if (document.hidden && sourceEvent?.type === 'every') event.preventDefault();
});

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  for (const region of document.querySelectorAll('[hx-trigger^="every "]')) {
    region.dispatchEvent(new CustomEvent('every'));
  }
});

document.addEventListener('htmx:finally:request', (event) => {
  // In place of a form that the answer removed, htmx names the region.
  const { sourceElement, status } = requestOf(event);
  if (sourceElement instanceof HTMLFormElement && status === 'swapped') sourceElement.reset();
});

// A form that is refused as a whole is too old: the page brings a new one.
document.addEventListener('htmx:response:error', (event) => {
  if (requestOf(event).request.method === 'POST') location.reload();
});

function requestOf(event: Event): HtmxRequest {
  return (event as CustomEvent<{ ctx: HtmxRequest }>).detail.ctx;
}
