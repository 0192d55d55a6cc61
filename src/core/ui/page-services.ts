import { createContext } from 'preact';
import type { Viewer } from '../access/viewer.js';
import type { TodosRepository } from '../activity/todos.repository.js';
import type { CodeHighlighter } from './highlighting/code-highlighter.service.js';
import type { PageReferences } from './references/page-references.js';
import type { SavedViewsRepository } from './saved-views/saved-views.repository.js';

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
