import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { GuideStep } from './guides/sdk-guide.js';
import { guideNamed, SDK_GUIDES } from './guides/sdk-guides.js';

interface SdkCardProps {
  /** Of the page that the card is on. */
  path: string;
  dsn: string;
  /** Selected guide; anything but the name of a guide selects the first. */
  sdk: unknown;
}

/** Setup guides for all platforms, with the project's DSN filled in. */
export function SdkCard({ path, dsn, sdk }: SdkCardProps): VNode {
  const guide = guideNamed(sdk);
  const addressOf = (name: string): string => `${path}?sdk=${name}#sdk`;
  return (
    <div id="sdk" class="scroll-mt-4">
      <Card title="Report errors from your program">
        <p>
          Any Sentry SDK will do. It needs nothing but the DSN; on servers most of them read it from
          the environment variable <code>SENTRY_DSN</code>, too.
        </p>
        <Tabs
          label="Language or framework"
          variant="pills"
          items={SDK_GUIDES.map(({ name, label }) => ({ label, href: addressOf(name) }))}
          current={addressOf(guide.name)}
        />
        <Steps steps={guide.steps(dsn)} />
        {guide.note !== undefined && <p class="text-muted-foreground text-sm">{guide.note}</p>}
      </Card>
    </div>
  );
}

function Steps({ steps }: { steps: readonly GuideStep[] }): VNode {
  return (
    <ol class="grid grid-cols-1 gap-4">
      {steps.map(({ title, code }, index) => (
        <li key={title}>
          <h3 class="text-sm font-medium">
            {index + 1}. {title}
          </h3>
          <pre class="mt-1.5" tabIndex={0} role="region" aria-label={title}>
            {code}
          </pre>
        </li>
      ))}
    </ol>
  );
}
