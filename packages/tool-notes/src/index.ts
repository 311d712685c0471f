// Notes of a chat.
export { sketchbookPath, sketchbookTool } from './sketchbook.ts';

// Long tasks with checkpoints.
export { checkpointOf, checkpointTool } from './checkpoint.ts';
export type { Checkpoint } from './checkpoint.ts';
export { continuing, trimAtCheckpoints, trimmedThread } from './continuing.ts';
export type { ContinuingOptions } from './continuing.ts';
export type { Trimming } from './trim.ts';

// Titles and summaries of chats.
export { chats, chatsOf } from './chats.ts';
export type { Chat, ChatChange, Chats } from './chats.ts';
export { chatMetadataTool } from './chat-metadata.ts';
export { recentChatsTool } from './recent-chats.ts';

// Plans, wake-ups, questions.
export { planTool } from './plan.ts';
export { cancelWakeupTool, scheduleWakeupTool, wakeups } from './wakeups.ts';
export type { Wakeup, Wakeups } from './wakeups.ts';
export { askUserTool } from './ask-user.ts';

// Skills.
export { listSkillsTool, readSkillTool } from './skill-tools.ts';
