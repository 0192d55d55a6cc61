import type { VNode } from 'preact';

interface AwaitedProps<T> {
  promise: Promise<T>;
  /** Renders the result. */
  children: (result: T) => VNode;
}

/**
 * Renders the result of a promise; the rest of the page is rendered meanwhile. Works in
 * `renderToStringAsync` only, which waits for promises that components throw.
 */
export function Awaited<T>({ promise, children }: AwaitedProps<T>): VNode {
  return <Suspended cell={{ promise }} render={children} />;
}

interface SuspendedProps<T> {
  /** Keeps the result until the renderer comes back. */
  cell: { promise: Promise<T>; result?: { value: T } };
  render: (result: T) => VNode;
}

function Suspended<T>({ cell, render }: SuspendedProps<T>): VNode {
  if (cell.result !== undefined) return render(cell.result.value);
  throw cell.promise.then((value) => {
    cell.result = { value };
  });
}
