import type { VNode } from 'preact';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { ActionsCell, Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';

/** A client key as it is shown. */
export interface ShownKey {
  id: number;
  publicKey: string;
  dsn: string;
  active: boolean;
  createdAt: Date;
}

interface KeysCardProps {
  /** Keys are made there, and deleted below. */
  path: string;
  csrfToken: string;
  keys: ShownKey[];
}

const COLUMNS = [
  { label: 'Key and DSN' },
  { label: 'Created' },
  { label: 'State' },
  { label: 'Actions', hidden: true, align: 'end' as const },
];

/** The client keys of a project, and how one is replaced. */
export function KeysCard({ path, csrfToken, keys }: KeysCardProps): VNode {
  const create = (
    <PostButton action={path} csrfToken={csrfToken}>
      New key
    </PostButton>
  );
  return (
    <Card title="Client keys" actions={create} flush={keys.length > 0}>
      <section class={keys.length > 0 ? 'px-4 pb-3' : ''}>
        <p class="text-muted-foreground text-sm text-pretty">
          A key only lets programs report errors; pages for everybody may carry it. To replace one,
          make a new key, give its DSN to your programs, and delete the old key once none uses it.
          Programs with a deleted key are refused within seconds.
        </p>
      </section>
      {keys.length > 0 && (
        <Table caption="Client keys" columns={COLUMNS}>
          {keys.map((key) => (
            <KeyRow key={key.id} shown={key} path={path} csrfToken={csrfToken} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function KeyRow({
  shown,
  path,
  csrfToken,
}: Pick<KeysCardProps, 'path' | 'csrfToken'> & { shown: ShownKey }): VNode {
  const { id, publicKey, dsn, active, createdAt } = shown;
  return (
    <tr>
      <Cell wrap>
        <code class="block min-w-64">{dsn}</code>
      </Cell>
      <Cell>
        <Time value={createdAt} />
      </Cell>
      <Cell>
        <Badge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Switched off'}</Badge>
      </Cell>
      <ActionsCell>
        <ConfirmButton
          label="Delete"
          question={`Programs that use ${publicKey} are refused from then on.`}
          confirm="Delete key"
          action={`${path}/${id}/delete`}
          csrfToken={csrfToken}
          size="small"
        />
      </ActionsCell>
    </tr>
  );
}
