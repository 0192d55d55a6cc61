import type { VNode } from 'preact';
import { bytesText } from '../../core/ui/amounts.js';
import { Copyable } from '../../core/ui/components/copy.js';

/** More than this of a payload makes pages slow; the API has the rest. */
const MOST_CHARACTERS = 65_536;

/** Received payload as raw text; truncated when it is very long. */
export function RawText({ label, text }: { label: string; text: string }): VNode {
  const isLong = text.length > MOST_CHARACTERS;
  return (
    <>
      {isLong && (
        <p class="text-muted-foreground">
          {`Truncated from ${bytesText(Buffer.byteLength(text))}. The API returns the full text.`}
        </p>
      )}
      <Copyable noun="text">
        <pre class="max-h-[32rem] overflow-auto" tabIndex={0} aria-label={label} role="region">
          {isLong ? text.slice(0, MOST_CHARACTERS) : text}
        </pre>
      </Copyable>
    </>
  );
}

/** JSON with one member per line; text that is no JSON as it is. */
export function prettyJson(text: string): string {
  try {
    return prettyValue(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The same of a value; on one line when it is long: indents would make it many times as long. */
export function prettyValue(value: unknown): string {
  const compact = JSON.stringify(value);
  return compact.length > MOST_CHARACTERS ? compact : JSON.stringify(value, null, 2);
}
