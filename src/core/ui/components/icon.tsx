import type { VNode } from 'preact';
import { ICONS, type IconName } from '../icons.js';

/** An icon beside a text that says the same: nothing for assistive technology. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: ICONS[name] }}
    />
  );
}
