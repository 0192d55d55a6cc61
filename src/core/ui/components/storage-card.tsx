import type { VNode } from 'preact';
import { filledAddress } from '../addresses.js';
import { ButtonLink } from './button.js';
import { Card } from './content.js';

interface StorageCardProps {
  kind: 'project' | 'group' | 'snippet';
  /** ID or full path. */
  container: number | string;
  /** Name of the storage that holds the repository. */
  storage: string;
  isReadOnly: boolean;
}

/** Where a repository is stored, and the way to its move; for administrators. */
export function StorageCard({ kind, container, storage, isReadOnly }: StorageCardProps): VNode {
  return (
    <Card title="Repository storage">
      <p>
        Stored on <a href={`/admin/storages/${storage}`}>{storage}</a>.
        {isReadOnly && ' Read-only while it moves to another storage.'}
      </p>
      <div>
        {isReadOnly ? (
          <ButtonLink href={`/admin/storage_moves?kind=${kind}`} variant="outline">
            View storage moves
          </ButtonLink>
        ) : (
          <ButtonLink
            href={filledAddress('/admin/storage_moves/new', { kind, container })}
            variant="outline"
          >
            Move repository
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
