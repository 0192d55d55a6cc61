import type { VNode } from 'preact';
import { Markdown } from '../../../core/ui/components/markdown.js';
import type { CodeAddresses } from './addresses.js';
import { relativeLinks } from './relative-links.js';
import type { ShownFile } from './shown-file.js';

interface FileContentProps {
  file: ShownFile;
  gitRef: string;
  addresses: CodeAddresses;
  /** As it was written, whatever it is. */
  plain?: boolean;
}

/** The lines of longer files are shown from their beginning only: a page must not take seconds. */
const MAX_LINES = 5_000;

/**
 * Content of a file: text line by line, rendered Markdown, an image, or the reason why there is no
 * preview.
 */
export function FileContent({ file, gitRef, addresses, plain = false }: FileContentProps): VNode {
  const { kind, text, path, name } = file;
  const raw = addresses.raw(gitRef, path);
  if (kind === 'picture') {
    return (
      <div class="bg-muted rounded-b-xl p-4">
        <img class="mx-auto max-h-160 max-w-full" src={raw} alt={name} />
      </div>
    );
  }
  if (kind === 'none') {
    return <Remark text="This file cannot be shown here: it is no text, or too long." />;
  }
  if (text === '') return <Remark text="The file is empty." />;
  if (kind === 'link') return <Remark text={`This is a symbolic link to ${text}`} />;
  if (kind === 'text' || plain) return <Lines text={text} label={`Content of ${name}`} />;
  return (
    <section>
      <Markdown text={text} links={relativeLinks(addresses, { ref: gitRef, path })} />
    </section>
  );
}

function Remark({ text }: { text: string }): VNode {
  return <p class="text-muted-foreground p-4 break-words">{text}</p>;
}

function Lines({ text, label }: { text: string; label: string }): VNode {
  const lines = text.replace(/\n$/, '').split('\n', MAX_LINES + 1);
  return (
    <>
      <pre class="code-scroll code-lines" role="region" aria-label={label} tabIndex={0}>
        <code>
          {lines.slice(0, MAX_LINES).map((line, at) => (
            <span key={at} id={`L${at + 1}`}>
              <a href={`#L${at + 1}`} data-line={at + 1} aria-hidden="true" tabIndex={-1} />
              {`${line}\n`}
            </span>
          ))}
        </code>
      </pre>
      {lines.length > MAX_LINES && (
        <Remark text={`Only the first ${MAX_LINES.toLocaleString('en')} lines are shown.`} />
      )}
    </>
  );
}
