import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy-field.js';
import { PostButton } from '../../../core/ui/components/form.js';

interface DsnCardProps {
  /** Of the oldest key that is active. */
  dsn: string;
  testPath: string;
  errorsPath: string;
  csrfToken: string;
}

/** The one thing that programs need, and a way to see that errors arrive. */
export function DsnCard({ dsn, testPath, errorsPath, csrfToken }: DsnCardProps): VNode {
  return (
    <Card title="Address for programs">
      <CopyField
        label="DSN"
        value={dsn}
        hint="Tells an SDK where to send errors. It is no secret, but whoever has it can send some."
      />
      <div class="flex flex-wrap items-center gap-3">
        <PostButton action={testPath} csrfToken={csrfToken}>
          Send a test event
        </PostButton>
        <ButtonLink href={errorsPath} variant="ghost">
          Errors of the project
        </ButtonLink>
      </div>
    </Card>
  );
}
