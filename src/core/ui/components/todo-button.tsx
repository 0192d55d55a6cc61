import type { VNode } from 'preact';
import type { TodoTargetRef } from '../../activity/todos.repository.js';
import { PostButton } from './form.js';
import { Awaited, PageServices } from './page-services.js';

/** Pages that change to-dos. */
export const TODOS_PATH = '/dashboard/todos';

interface TodoButtonProps {
  target: TodoTargetRef & { projectId: number };
}

/** Adds the target of the page to the viewer's to-dos, or marks its to-do as done. */
export function TodoButton({ target }: TodoButtonProps): VNode {
  const { type, id, projectId } = target;
  return (
    <PageServices.Consumer>
      {(services) =>
        services?.viewer != null && (
          <Awaited promise={services.todos.findPending(services.viewer.id, target)}>
            {(pending) =>
              pending === null ? (
                <PostButton
                  action={TODOS_PATH}
                  csrfToken={services.csrfToken}
                  fields={{ type, id: String(id), project_id: String(projectId) }}
                >
                  Add to-do
                </PostButton>
              ) : (
                <PostButton action={`${TODOS_PATH}/${pending}/done`} csrfToken={services.csrfToken}>
                  Mark as done
                </PostButton>
              )
            }
          </Awaited>
        )
      }
    </PageServices.Consumer>
  );
}
