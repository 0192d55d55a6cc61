import type { VNode } from 'preact';
import { Card } from '../../../../core/ui/components/content.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import type { TagDistribution } from '../../../error-statistics.repository.js';
import { errorsPath } from '../../../error-paths.js';
import { Fold } from '../event/text-parts.js';
import { errorsAddress } from '../list/errors-query.js';

interface TagsCardProps {
  project: ProjectRow;
  tags: TagDistribution[];
}

const MOST_KEYS = 8;
const MOST_VALUES = 4;

/** Of each tag, which values events had how often; links lead to errors with the same value. */
export function TagsCard({ project, tags }: TagsCardProps): VNode | null {
  if (tags.length === 0) return null;
  return (
    <Card title="Where it happens">
      <Fold
        items={tags.map((tag) => (
          <TagPart key={tag.key} project={project} tag={tag} />
        ))}
        limit={MOST_KEYS}
        noun="tags"
        frame={(some) => <div class="grid grid-cols-1 gap-4">{some}</div>}
      />
    </Card>
  );
}

function TagPart({ project, tag }: { project: ProjectRow; tag: TagDistribution }): VNode {
  const { key, total, values } = tag;
  const shown = values.slice(0, MOST_VALUES);
  const others = total - shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="grid grid-cols-1 gap-1 text-sm">
      <h3 class="text-sm font-semibold wrap-anywhere">{key}</h3>
      <ul class="grid grid-cols-1 gap-1.5">
        {shown.map(({ value, count }) => (
          <li key={value}>
            <a class="prose-link wrap-anywhere" href={addressOf(project, key, value)}>
              {value === '' ? '(empty)' : value}
            </a>
            <Share label={`${key}: ${value}`} count={count} total={total} />
          </li>
        ))}
        {others > 0 && (
          <li>
            Others
            <Share label={`${key}: others`} count={others} total={total} />
          </li>
        )}
      </ul>
    </section>
  );
}

function Share(props: { label: string; count: number; total: number }): VNode {
  const { label, count, total } = props;
  const share = Math.round((count / total) * 100);
  return (
    <div class="flex items-center gap-2">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        class="bg-muted h-1.5 w-full grow rounded-full"
        role="img"
        aria-label={`${label}: ${share} %`}
      >
        <rect width={share} height={6} rx={1} class="fill-sky-700 dark:fill-sky-400" />
      </svg>
      <span
        class="text-muted-foreground w-12 text-right text-xs whitespace-nowrap tabular-nums"
        aria-hidden="true"
      >
        {share} %
      </span>
    </div>
  );
}

/** Environments and releases have filters of their own. */
function addressOf(project: ProjectRow, key: string, value: string): string {
  const path = errorsPath(project);
  if (key === 'environment' || key === 'release') {
    return errorsAddress(path, { status: 'all', [key]: value });
  }
  return errorsAddress(path, { status: 'all', tag: `${key}:${value}` });
}
