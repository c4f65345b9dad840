import { Player, type Task } from './play';

/** Plays the tasks that the parent process sends, and ends with it. */
export function work(): void {
  const player = new Player();
  process.on('message', (task: Task) => {
    void player.play(task).then((outcome) => process.send?.(outcome));
  });
  process.on('disconnect', () => process.exit());
}
