import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { Copyable } from '../../../core/ui/components/copy.js';
import { PageSections, type PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../projects.repository.js';

/** The overview of a project that someone looks at. */
export interface ShownProject {
  project: ProjectRow;
  pageContext: PageContext;
}

/** Parts of other features on the overview of a project. */
@Injectable()
export class ProjectOverviewSections extends PageSections<ShownProject> {}

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
