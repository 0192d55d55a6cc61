import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/viewer.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { GroupFrame } from '../../workspace/groups/pages/group-frame.js';
import { ProjectFrame } from '../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { FeedList, type ShownFeed } from './feed-list.js';

interface ProjectActivityProps {
  project: ProjectRow;
  viewer: Viewer | null;
  feed: ShownFeed;
}

/** The feed of a project. */
export function ProjectActivityPage({ project, viewer, feed }: ProjectActivityProps): VNode {
  return (
    <ProjectFrame project={project} viewer={viewer} current="activity">
      <FeedList
        feed={feed}
        namesProjects={false}
        hint="Push a branch, open an issue or write a comment: it will be listed here."
      />
    </ProjectFrame>
  );
}

interface GroupActivityProps {
  group: GroupRow;
  viewer: Viewer | null;
  feed: ShownFeed;
}

/** The feed of a group: of all its projects. */
export function GroupActivityPage({ group, viewer, feed }: GroupActivityProps): VNode {
  return (
    <GroupFrame group={group} viewer={viewer} current="activity">
      <FeedList
        feed={feed}
        namesProjects
        hint="What happens in the projects of this group will be listed here."
      />
    </GroupFrame>
  );
}
