import type { VNode } from 'preact';

interface LabelChipProps {
  /** `#rrggbb` of its dot; the text keeps the color of the page, so that every label is legible. */
  label: { name: string; color: string; description?: string | null };
  href: string;
}

/** A label in its color, leading to what bears it. */
export function LabelChip({ label: { name, color, description }, href }: LabelChipProps): VNode {
  return (
    <a class="badge" data-tone="label" href={href} title={description ?? undefined}>
      <Swatch color={color} />
      <span class="truncate">{name}</span>
    </a>
  );
}

/** A dot of any color; the content security policy allows no styles of elements. */
export function Swatch({ color }: { color: string }): VNode {
  return (
    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  );
}
