import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { QueueBoardController } from './queue-board.controller.js';
import { QueueBoard } from './queue-board.service.js';
import { QueueChangesController } from './queue-changes.controller.js';

/** The dashboard of the queues. */
@Module({
  imports: [AuthModule],
  controllers: [QueueBoardController, QueueChangesController],
  providers: [QueueBoard],
})
export class QueueBoardModule {}
