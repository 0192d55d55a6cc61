import type { VNode } from 'preact';

/** Text of a doc comment: paragraphs between blank lines, code between backticks. */
export function Prose({ text }: { text: string }): VNode {
  const paragraphs = text.split('\n\n').filter((paragraph) => paragraph !== '');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <Phrase text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** One line of text with code between backticks. */
export function Phrase({ text }: { text: string }): VNode {
  const parts = text.split('`');
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
