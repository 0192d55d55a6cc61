import type { VNode } from 'preact';
import type { Fact } from '../../../../core/ui/components/content.js';

/** Short facts side by side, so that what follows them is seen without scrolling. */
export function FactGrid({ items }: { items: Fact[] }): VNode {
  return (
    <dl class="grid grid-cols-2 gap-x-4 gap-y-3 text-sm sm:grid-cols-3 xl:grid-cols-4 [&_time]:whitespace-normal">
      {items.map(({ label, value }) => (
        <div key={label} class="min-w-0">
          <dt class="text-muted-foreground">{label}</dt>
          <dd class="font-medium wrap-anywhere">
            {value ?? <span class="text-muted-foreground font-normal">Unknown</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
