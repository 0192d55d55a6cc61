import { createContext, type VNode } from 'preact';
import type { Viewer } from '../../access/auth-context.js';
import type { TodosRepository } from '../../activity/todos.repository.js';
import type { CodeHighlighter } from '../highlighting/code-highlighter.service.js';
import type { PageReferences } from '../references/page-references.js';
import type { SavedViewsRepository } from '../saved-views.repository.js';

/** Services and facts of the request that components use while a page is rendered. */
interface RenderedRequest {
  highlighter: CodeHighlighter;
  references: PageReferences;
  savedViews: SavedViewsRepository;
  todos: TodosRepository;
  viewer: Viewer | null;
  csrfToken: string;
  /** Name of the reader's time zone; empty if it is not known. */
  timeZone: string;
}

/** null in emails and tests of components. */
export const PageServices = createContext<RenderedRequest | null>(null);

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
