import type { VNode } from 'preact';
import type { HighlightedLines } from '../highlighting/code-highlighter.service.js';
import { escapeHtml } from '../escape-html.js';
import { Awaited, PageServices } from './page-services.js';

interface HighlightedProps {
  /** Texts of one language. */
  texts: readonly string[];
  /** Name of the language or of a file. */
  hint: string;
  /** Renders the lines of each text: as HTML, or null for plain text. */
  children: (lines: HighlightedLines) => VNode;
}

/** Highlights texts where the page allows it. */
export function Highlighted({ texts, hint, children }: HighlightedProps): VNode {
  return (
    <PageServices.Consumer>
      {(services) =>
        services === null ? (
          children(null)
        ) : (
          <Awaited promise={services.highlighter.highlight(texts, hint)}>{children}</Awaited>
        )
      }
    </PageServices.Consumer>
  );
}

interface CodeLinesProps {
  text: string;
  /** Of the file, for the language. */
  name: string;
  /** Accessible name. */
  label: string;
  /** Precedes the IDs of lines (`L1`) where a page has several files. */
  prefix?: string;
}

/** A file line by line, with an anchor for each line; numbers are not part of the text. */
export function CodeLines({ text, name, label, prefix = '' }: CodeLinesProps): VNode {
  return (
    <Highlighted texts={[text]} hint={name}>
      {(highlighted) => (
        <pre class="code-scroll code-lines" role="region" aria-label={label} tabIndex={0}>
          <code
            dangerouslySetInnerHTML={{
              __html: linesHtml(highlighted?.[0] ?? text.split('\n').map(escapeHtml), prefix),
            }}
          />
        </pre>
      )}
    </Highlighted>
  );
}

/** Thousands of lines: elements for each would take several times as long to render. */
function linesHtml(lines: readonly string[], prefix: string): string {
  return lines
    .map((line, at) => {
      const id = `${prefix}L${at + 1}`;
      return `<span id="${id}"><a href="#${id}" data-line="${at + 1}" aria-hidden="true" tabindex="-1"></a>${line}\n</span>`;
    })
    .join('');
}
