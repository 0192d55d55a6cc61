import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ALL_QUEUES_PROVIDER, allQueuesModule } from '../../core/queue/all-queues.js';
import { QueueBoardController } from './queue-board.controller.js';
import { QueueBoard } from './queue-board.service.js';
import { QueueChangesController } from './queue-changes.controller.js';

/** The dashboard of the queues. */
@Module({
  imports: [AuthModule, allQueuesModule()],
  controllers: [QueueBoardController, QueueChangesController],
  providers: [ALL_QUEUES_PROVIDER, QueueBoard],
})
export class QueueBoardModule {}
