import { createContext } from 'preact';
import type { CodeHighlighter } from './highlighting/code-highlighter.service.js';
import type { PageReferences } from './references/page-references.js';

/** Services that components use while a page is rendered; null in emails and tests of components. */
export const PageServices = createContext<{
  highlighter: CodeHighlighter;
  references: PageReferences;
} | null>(null);
