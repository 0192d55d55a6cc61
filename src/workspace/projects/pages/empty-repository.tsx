import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { Copyable } from '../../../core/ui/components/copy-button.js';
import type { ProjectRow } from '../projects.repository.js';

interface EmptyRepositoryProps {
  project: ProjectRow;
  cloneUrl: string;
  mayPush: boolean;
}

/** Instructions for the first commit of a repository. */
export function EmptyRepository({ project, cloneUrl, mayPush }: EmptyRepositoryProps): VNode {
  const branch = project.defaultBranch ?? 'main';
  if (!mayPush) {
    return (
      <Card title="Empty repository">
        <p class="text-muted-foreground">No commits have been pushed yet.</p>
      </Card>
    );
  }
  return (
    <Card title="Empty repository">
      <h3 class="font-medium">Create a new repository</h3>
      <Commands
        lines={[
          `git clone ${cloneUrl} ${project.path}`,
          `cd ${project.path}`,
          `git switch --create ${branch}`,
          'touch README.md',
          'git add README.md',
          'git commit --message "Add a README"',
          `git push --set-upstream origin ${branch}`,
        ]}
      />
      <h3 class="font-medium">Push an existing repository</h3>
      <Commands
        lines={[
          `git remote add origin ${cloneUrl}`,
          'git push --set-upstream origin --all',
          'git push origin --tags',
        ]}
      />
    </Card>
  );
}

function Commands({ lines }: { lines: string[] }): VNode {
  return (
    <Copyable noun="commands">
      <pre class="bg-muted overflow-x-auto rounded-lg border p-3 text-sm" tabIndex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    </Copyable>
  );
}
