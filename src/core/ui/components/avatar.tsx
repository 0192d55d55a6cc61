import type { VNode } from 'preact';

/** Initials in a circle, beside a name that is written out: nothing for assistive technology. */
export function Avatar({ name, size }: { name: string; size?: 'large' }): VNode {
  return (
    <span class="avatar" data-size={size} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

interface PersonProps {
  name: string;
  href?: string;
  /** Smaller, below the name: `@ada`. */
  detail?: string;
}

/** A user, group or project in a list. */
export function Person({ name, href, detail }: PersonProps): VNode {
  return (
    <span class="person">
      <Avatar name={name} />
      <span>
        {href === undefined ? (
          name
        ) : (
          <a class="prose-link" href={href}>
            {name}
          </a>
        )}
        {detail !== undefined && <small>{detail}</small>}
      </span>
    </span>
  );
}

/** First letters of the first and the last word, as whole characters. */
function initials(name: string): string {
  const words = name.split(/[\s._/-]+/).filter((word) => word !== '');
  const picked = words.length > 1 ? [words.at(0), words.at(-1)] : words.slice(0, 1);
  return picked.map((word) => [...(word ?? '')][0] ?? '').join('');
}
