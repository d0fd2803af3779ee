export type { ApiPromise, WithResponse } from './api-promise.ts';
export type { AddedMany, BlocklistEntry, BlocklistPage } from './blocklist.ts';
export { Signalpost } from './client.ts';
export {
  type Action,
  type DecideOptions,
  type Decision,
  type DecisionInput,
  isOutage,
  type OutageDecision,
} from './decide.ts';
export * from './errors.ts';
export type {
  BacktestResult,
  ConditionCatalogue,
  ConditionField,
  ConditionOperator,
  DecisionExceptions,
  DecisionFilters,
  DecisionLine,
  DecisionSearch,
  Gate,
  GateChanges,
  GateStats,
  GateSummary,
  GateTrace,
  LoggedDecision,
  NewGate,
  NewRule,
  Revision,
  RevisionSummary,
  Rule,
  RuleChanges,
  Suggestion,
} from './gates.ts';
export type { Hook, HookChanges, HookTest, HookWithSecret, NewHook } from './hooks.ts';
export type {
  CustomList,
  CustomListChanges,
  CustomListWithRules,
  EntriesAdded,
  ListEntry,
  NewCustomList,
  NewListEntry,
} from './lists.ts';
export type { DomainSignals, EmailSignals, LookupQuery, Status } from './lookups.ts';
export type { Operations } from './operations.ts';
export type { AppliedOutcomes, ReportedOutcome } from './outcomes.ts';
export type { CursorPage, Pages } from './pages.ts';
export {
  type ReceivedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
} from './receiving/verify-webhook.ts';
export type { CallOptions, ClientSettings } from './settings.ts';
export type {
  AcceptedWaveRule,
  Wave,
  WaveReport,
  WaveSettings,
  WaveSettingsChanges,
  WaveWithSamples,
} from './waves.ts';
export type { Delivery, NewWebhook, Webhook, WebhookChanges, WebhookWithSecret } from './webhooks.ts';
