// Generated from the console's endpoints by scripts/openapi.ts; do not edit, run: npm run openapi

/** The input and the response of each operation. */
export interface Operations {
  /** Entries that contain a text */
  searchBlocklist: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    query: {
      q: string;
      limit?: number | undefined;
    };
    answer: {
      data: Array<{
        /** Normalised: lower case, internationalised names in punycode */
        domain: string;
        /** The readable form; only when it differs from `domain` */
        unicode_domain?: string;
        /** When the domain was added */
        created_at: string;
        /** Why it is listed; only when an import had a reason */
        reason?: string;
      }>;
      meta: {
        complete: boolean;
      };
    };
  };
  /** Preview an import of pasted lines; read-only */
  previewBlocklist: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    body: {
      text: string;
    };
    answer: {
      new: number;
      listed: number;
      /** Listed domains that get another reason */
      changed: number;
      repeated: number;
      /** Domains that do not fit into the list */
      full: number;
      wrong_count: number;
      wrong: Array<{
        line: number;
        text: string;
        error: string;
      }>;
    };
  };
  /** Import the domains of pasted lines, in batches of 1,000 */
  importBlocklist: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    body: {
      text: string;
    };
    answer: {
      added: number;
      listed: number;
      /** Listed domains that get another reason */
      changed: number;
      repeated: number;
      /** Domains that do not fit into the list */
      full: number;
      wrong_count: number;
      wrong: Array<{
        line: number;
        text: string;
        error: string;
      }>;
    };
  };
  /** Remove up to 1,000 domains */
  removeManyFromBlocklist: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    body: {
      domains: ReadonlyArray<string>;
    };
    answer: {
      removed: Array<string>;
      missing: Array<string>;
    };
  };
  /** Every domain with its reason, oldest first, 10,000 per page */
  exportBlocklist: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    query: {
      cursor?: string | undefined;
    };
    answer: {
      data: Array<{
        domain: string;
        reason: string | null;
      }>;
      meta: {
        next_cursor: string | null;
      };
    };
  };
  /** Preview what adding up to 1,000 entries would do; read-only */
  previewCustomListEntries: {
    path: {
      environment: 'production' | 'staging' | 'development';
      list_id: string;
    };
    body: {
      entries: ReadonlyArray<{
        value: string;
        note?: string | null | undefined;
        /** ISO 8601, in the future, until the year 9999 */
        expires_at?: string | null | undefined;
      }>;
    };
    answer: {
      data: {
        new: number;
        listed: number;
        repeated: number;
        errors: Array<{
          index: number;
          value: string;
          error: string;
        }>;
      };
    };
  };
  /** What reporting these outcomes would find, without storing them */
  previewOutcomes: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    body: {
      outcomes: ReadonlyArray<{
        decision_id?: string | undefined;
        /** Applies to every logged decision about the normalised address */
        email?: string | undefined;
        outcome: 'good' | 'bad';
        reason?: string | null | undefined;
      }>;
    };
    answer: {
      data: {
        /** Items with at least one logged decision */
        matched: number;
        /** Distinct decisions */
        decisions: number;
        /** The indices of items without a logged decision */
        unmatched: Array<number>;
      };
    };
  };
  /** Remove the outcomes of up to 1,000 decisions, to undo a bulk report */
  removeOutcomes: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    body: {
      decisions: ReadonlyArray<{
        gate_id: string;
        decision_id: string;
      }>;
    };
    answer: undefined;
  };
  /** How many decisions match the filters of a search */
  countDecisions: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
      /** An email address, a domain, an IP address, the id of a decision, or the id of a request that was made within a minute of its decision */
      q?: string | undefined;
      /** Only decisions about this address, in every spelling of its mailbox */
      mailbox?: string | undefined;
      gate_id?: string | undefined;
      /** Only decisions after this one */
      after?: string | undefined;
      /** Only decisions that were sent with this identifier of a device */
      device?: string | undefined;
      /** Only decisions that belong to this wave, 10,000 at most */
      wave_id?: string | undefined;
      /** One or more of allow, block, challenge, separated by commas */
      action?: string | undefined;
      outcome?: 'good' | 'bad' | 'none' | undefined;
      /** Only decisions made by this rule */
      rule_id?: string | undefined;
      /** Only decisions that this rule matched, also in shadow mode and where another rule decided: with action=allow, the people whom a shadow rule would have stopped */
      matched_rule_id?: string | undefined;
      /** Only decisions about domains that this list source named then, as in named_by of GET /v1/decisions */
      source?: string | undefined;
      /** Only IP addresses of this country, by its code of two letters */
      country?: string | undefined;
      /** Only IP addresses of this autonomous system (AS64500) or network (a /24, of IPv6 a /48). Networks are not found where the log hashes addresses */
      network?: string | undefined;
      /** ISO 8601 */
      from?: string | undefined;
      /** ISO 8601 */
      to?: string | undefined;
    };
    answer: {
      data: {
        /** At most 10000 */
        count: number;
        /** False when there are more, or may be: the count reads a bounded part of the log */
        complete: boolean;
      };
    };
  };
  /** One decision, the rules at that time, and their trace */
  explainDecision: {
    path: {
      environment: 'production' | 'staging' | 'development';
      decision_id: string;
    };
    answer: {
      data: {
        id: string;
        input: {
          email?: string;
          domain?: string;
          ip?: string;
        };
        decision: {
          action: 'allow' | 'block' | 'challenge';
          /** Null when no rule matched and the default action applied */
          matched_rule: {
            id: string;
            name: string;
            message: string | null;
          } | null;
        };
        signals: {
          /** Null if the input was a domain */
          email: {
            address: string | null;
            normalized: string | null;
            local_part: string | null;
            local_part_length: number;
            subaddress: string | null;
            /** The address alone */
            disposable: boolean | null;
            role_account: boolean | null;
          } | null;
          domain: {
            name: string;
            registrable: string | null;
            tld: string | null;
            sld: string | null;
            subdomain: string | null;
            domain_authority: number | null;
            tld_trust: number | null;
            age_days: number | null;
            mx: boolean | null;
            /** Null means unknown; an empty list is known */
            mx_records: Array<{
              hostname: string;
              priority: number;
            }> | null;
            /** Null means unknown; an empty list is known */
            mx_providers: Array<{
              slug: string;
              type: string;
              grade: string;
            }> | null;
            spf: string | null;
            dmarc: string | null;
            disposable: boolean | null;
            disposable_provider: string | null;
            public_domain: boolean | null;
            relay_domain: boolean | null;
            free_subdomain: boolean | null;
            spam: boolean | null;
            did_you_mean: string | null;
            blocklisted: boolean | null;
          };
          /** Null when no ip was sent */
          ip: {
            address: string;
            abuse: {
              detected: boolean | null;
            };
            anonymity: {
              proxy: {
                detected: boolean | null;
              };
              relay: {
                detected: boolean | null;
              };
              tor: {
                detected: boolean | null;
              };
              vpn: {
                detected: boolean | null;
              };
            };
            hosting: {
              detected: boolean | null;
            };
            geo: {
              country: string | null;
              country_code: string | null;
              continent: string | null;
              continent_code: string | null;
              city: string | null;
            };
            network: {
              asn: number | null;
              aso: string | null;
              domain: string | null;
              type: string | null;
            };
          } | null;
          /** Counts of your own decisions, this one included. Only present if an enabled rule uses one of them */
          traffic?: {
            address: {
              decisions_1h: number | null;
              decisions_24h: number | null;
              spellings_24h: number | null;
            };
            domain: {
              addresses_1h: number | null;
              addresses_24h: number | null;
              first_seen_days: number | null;
            };
            /** Null while unknown */
            mail_server: {
              addresses_1h: number | null;
              addresses_24h: number | null;
              domains_24h: number | null;
            } | null;
            /** Null while unknown */
            ip: {
              addresses_1h: number | null;
              addresses_24h: number | null;
            } | null;
            /** Null while unknown */
            network: {
              addresses_1h: number | null;
              addresses_24h: number | null;
            } | null;
            /** Null while unknown */
            device: {
              addresses_1h: number | null;
              addresses_24h: number | null;
            } | null;
            /** Whether it belongs to an open wave that is not judged fine */
            in_wave: boolean | null;
            /** The wave that it belongs to */
            wave_id: string | null;
          } | null;
        };
        meta: {
          version: string;
          request_id: string;
          decision_id: string;
          duration_ms: number;
          created_at: string;
        };
        /** Null if none was reported */
        outcome: 'good' | 'bad' | null;
        outcome_reason: string | null;
        /** The first 12 hexadecimal digits of the keyed hash of `device`; null if none was sent */
        device: string | null;
        /** The hook that asked; null for a client with a key */
        hook_id: string | null;
        gate: {
          id: string;
          name: string;
        };
        /** Null for entries from before revisions were recorded */
        revision: number | null;
        /** The list sources that named the domain at that moment, with the entry that matched (the domain or one above it) and the date of their edition. `operator` means your own entries. Null for decisions of version 0.1.0 */
        named_by: Array<{
          source: string;
          says: 'disposable' | 'public' | 'relay' | 'free_subdomain' | 'spam' | 'allowed';
          entry: string;
          date: string | null;
        }> | null;
        rules: Array<{
          id: string;
          name: string;
          description: string | null;
          message: string | null;
          match: 'all' | 'any';
          action: 'allow' | 'block' | 'challenge';
          /** A match is final: the rules below are not evaluated */
          stop: boolean;
          enabled: boolean;
          /** shadow: evaluated and counted, never decides */
          mode: 'live' | 'shadow';
          conditions: Array<{
            /** A path of GET /v1/fields */
            field: string;
            operator: string;
            /** The value that the operator compares with; omit it with is_known and is_unknown */
            value?: unknown;
          }>;
          /** 0-based; past the end appends */
          position: number;
          created_at: string;
          updated_at: string;
        }> | null;
        trace: {
          input: {
            email?: string;
            domain?: string;
            ip?: string;
          };
          /** The revision of the rules; null if it is unknown or the request sent the rules */
          revision: number | null;
          signals: {
            /** Null if the input was a domain */
            email: {
              address: string | null;
              normalized: string | null;
              local_part: string | null;
              local_part_length: number | null;
              subaddress: string | null;
              /** The address alone */
              disposable: boolean | null;
              role_account: boolean | null;
            } | null;
            domain: {
              name: string;
              registrable: string | null;
              tld: string | null;
              sld: string | null;
              subdomain: string | null;
              domain_authority: number | null;
              tld_trust: number | null;
              age_days: number | null;
              mx: boolean | null;
              /** Null means unknown; an empty list is known */
              mx_records: Array<{
                hostname: string;
                priority: number;
              }> | null;
              /** Null means unknown; an empty list is known */
              mx_providers: Array<{
                slug: string;
                type: string;
                grade: string;
              }> | null;
              spf: string | null;
              dmarc: string | null;
              disposable: boolean | null;
              disposable_provider: string | null;
              public_domain: boolean | null;
              relay_domain: boolean | null;
              free_subdomain: boolean | null;
              spam: boolean | null;
              did_you_mean: string | null;
              blocklisted: boolean | null;
            };
            /** Null when no ip was sent */
            ip: {
              address: string | null;
              abuse: {
                detected: boolean | null;
              };
              anonymity: {
                proxy: {
                  detected: boolean | null;
                };
                relay: {
                  detected: boolean | null;
                };
                tor: {
                  detected: boolean | null;
                };
                vpn: {
                  detected: boolean | null;
                };
              };
              hosting: {
                detected: boolean | null;
              };
              geo: {
                country: string | null;
                country_code: string | null;
                continent: string | null;
                continent_code: string | null;
                city: string | null;
              };
              network: {
                asn: number | null;
                aso: string | null;
                domain: string | null;
                type: string | null;
              };
            } | null;
            /** Counts of your own decisions, this one included. Only present if an enabled rule uses one of them */
            traffic?: {
              address: {
                decisions_1h: number | null;
                decisions_24h: number | null;
                spellings_24h: number | null;
              };
              domain: {
                addresses_1h: number | null;
                addresses_24h: number | null;
                first_seen_days: number | null;
              };
              /** Null while unknown */
              mail_server: {
                addresses_1h: number | null;
                addresses_24h: number | null;
                domains_24h: number | null;
              } | null;
              /** Null while unknown */
              ip: {
                addresses_1h: number | null;
                addresses_24h: number | null;
              } | null;
              /** Null while unknown */
              network: {
                addresses_1h: number | null;
                addresses_24h: number | null;
              } | null;
              /** Null while unknown */
              device: {
                addresses_1h: number | null;
                addresses_24h: number | null;
              } | null;
              /** Whether it belongs to an open wave that is not judged fine */
              in_wave: boolean | null;
              /** The wave that it belongs to */
              wave_id: string | null;
            } | null;
          };
          action: 'allow' | 'block' | 'challenge';
          /** Null when no rule matched and the default action applied */
          matched_rule: {
            id: string | null;
            name: string;
            message: string | null;
          } | null;
          rules: Array<{
            id: string | null;
            name: string | null;
            action: 'allow' | 'block' | 'challenge' | null;
            mode: 'live' | 'shadow' | null;
            outcome: 'decided' | 'overruled' | 'matched_shadow' | 'not_matched' | 'unknown' | 'not_reached' | 'disabled' | 'invalid';
            conditions: Array<{
              field: string;
              operator: string;
              /** Null if unknown */
              holds: boolean | null;
              /** The value of the field; null if unknown */
              value: unknown;
              /** Why the value is unknown */
              reason: string | null;
            }>;
          }>;
          /** Validation errors of the sent rules, by field */
          problems: Record<string, Array<string>>;
          regex_cost: {
            /** The cost of compiling the regular expressions of all rules */
            total: number;
            limit: number;
            patterns: Array<{
              rule: number;
              condition: number;
              /** An upper bound on the number of instructions it compiles to */
              size: number;
              /** For patterns with counted repetition */
              limit: number;
            }>;
          };
        } | null;
      };
    };
  };
  /** Every gate with its last change and the counts of the last seven days */
  summarizeGates: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    answer: {
      data: Array<{
        id: string;
        name: string;
        description: string | null;
        default_action: 'allow' | 'block' | 'challenge';
        /** Every decision waits until these slow facts are resolved */
        wait: Array<'domain_age_in_days' | 'domain_authority'>;
        rules_count: number;
        created_at: string;
        updated_at: string;
        revision: number;
        last_change: {
          revision: number;
          changed_at: string;
          /** Null for a revision from before changes were recorded */
          changed_by: {
            kind: 'key' | 'user' | 'command' | 'service';
            id: string;
            /** The name of a key, the address of a user */
            name: string | null;
          } | null;
        };
        counts: {
          allow: number;
          block: number;
          challenge: number;
        };
      }>;
    };
  };
  /** Matches by day, last match, age of the mode and outcomes of each rule of a gate */
  readRuleHealth: {
    path: {
      environment: 'production' | 'staging' | 'development';
      gate_id: string;
    };
    answer: {
      data: Array<{
        id: string;
        /** Matches of the last 30 UTC days, live or in shadow mode, oldest first */
        days: Array<number>;
        /** The UTC day of the last match */
        last_match_on: string | null;
        /** When the rule got its mode */
        mode_since: string;
        /** Matched decisions of these days with the outcome good */
        good: number;
        /** Matched decisions of these days with the outcome bad */
        bad: number;
      }>;
    };
  };
  /** The auth servers that can call a hook */
  listHookFormats: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    answer: {
      data: Array<{
        /** The auth server; it cannot be changed */
        format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
        label: string;
        /** The auth server makes the secret */
        secret_from_server: boolean;
      }>;
    };
  };
  /** How a wave went, minute by minute */
  readWaveTimeline: {
    path: {
      environment: 'production' | 'staging' | 'development';
      wave_id: string;
    };
    answer: {
      data: {
        interval_seconds: number;
        /** The count of a window from which on it was a wave */
        threshold: number | null;
        bars: Array<{
          at: string;
          /** Decisions with this action */
          allow: number;
          /** Decisions with this action */
          block: number;
          /** Decisions with this action */
          challenge: number;
          /** Members within the last hour, of a slow wave within the last day */
          in_window: number;
        }>;
      };
    };
  };
  /** The rule that would have stopped a wave, what else it would have matched in 30 days of log, and its gate */
  readWaveRule: {
    path: {
      environment: 'production' | 'staging' | 'development';
      wave_id: string;
    };
    answer: {
      data: {
        /** A rule that would have stopped it, as `POST /v1/gates/{gate_id}/rules` accepts it; null when live rules stop it already, or `list_entry` suffices */
        rule: {
          name: string;
          description: string | null;
          message: string | null;
          match: 'all' | 'any';
          action: 'allow' | 'block' | 'challenge';
          conditions: Array<{
            field: string;
            operator: string;
            value: unknown;
          }>;
        } | null;
        /** The network to put on the list that the rule compares with; null for other kinds */
        list_entry: {
          list: {
            /** Null: create the list, and put its id into the rule */
            id: string | null;
            name: string;
            kind: 'ip' | 'asn';
          };
          value: string;
          note: string;
          expires_at: string;
        } | null;
        /** Decisions of the wave that it matches */
        stops: number;
        /** Other decisions that it matches */
        touches: number;
        /** Logged decisions that were evaluated */
        evaluated: number;
        /** False when older decisions of the 30 days were left out */
        complete: boolean;
        /** The gate that let most of the wave in, or received most of it if none got in */
        gate_id: string | null;
      };
    };
  };
  /** Credits, decisions, lookups, top domains and rules in a time range */
  readOverview: {
    path: {
      environment: 'production' | 'staging' | 'development';
    };
    query: {
      range?: '24h' | '7d' | '30d' | undefined;
    };
    answer: {
      data: {
        range: {
          name: '24h' | '7d' | '30d';
          from: string;
          to: string;
        };
        usage: {
          limit: number;
          current: number;
          remaining: number;
          reset_at: string;
          overage: boolean;
        };
        throughput: {
          limit: number;
          peak: number | null;
        };
        decisions: Array<{
          at: string;
          allow: number;
          block: number;
          challenge: number;
        }>;
        outcomes: {
          allow: {
            good: number;
            bad: number;
          };
          block: {
            good: number;
            bad: number;
          };
          challenge: {
            good: number;
            bad: number;
          };
        };
        lookups: Array<{
          at: string;
          lookups: number;
          disposable: number;
          relay: number;
          no_mail: number;
          unknown: number;
        }>;
        shares: {
          /** A fraction between 0 and 1; null without lookups */
          disposable: number | null;
          /** A fraction between 0 and 1; null without lookups */
          relay: number | null;
          /** A fraction between 0 and 1; null without lookups */
          no_mail: number | null;
          /** A fraction between 0 and 1; null without lookups */
          unknown: number | null;
        };
        top_domains: Array<{
          domain: string;
          lookups: number;
        }>;
        top_rules: Array<{
          gate: {
            id: string;
            name: string;
          };
          id: string;
          name: string;
          matches: number;
        }>;
        /** Newest first, at most 20 with the same action */
        changes: Array<{
          at: string;
          /** As in the audit trail: gate.changed, blocklist.added, list.refreshed */
          action: string;
          /** The id of the gate or list */
          subject: string;
          name: string | null;
          /** Null for changes of the lists that serve every account */
          by: {
            kind: 'key' | 'user' | 'command' | 'service';
            id: string;
            name: string | null;
          } | null;
          rules: Array<{
            name: string;
            change: string;
          }>;
          /** The number of entries or sources */
          count: number | null;
        }>;
      };
    };
  };
  /** Whether the browser is signed in */
  consoleSignInState: {
    answer: {
      /** Null when the browser is not signed in */
      me: {
        user: {
          id: string;
          email: string;
          role: 'member' | 'operator';
          has_password: boolean;
          /** Whether a new password requires the current one */
          password_needed: boolean;
        };
        account: {
          id: string;
          name: string;
          email: string;
          overage: boolean;
          created_at: string;
          plan: {
            id: string;
            name: string;
            pro: boolean;
            credits: number;
            rate_limit: number;
            blocklist_entries: number;
          };
        };
        session: {
          id: string;
          created_at: string;
          ends_at: string;
        };
        environments: Array<'production' | 'staging' | 'development'>;
        version: string;
      } | null;
      /** Whether no user has ever signed in */
      first_run: boolean;
      /** Prints a sign-in link */
      command: string;
    };
  };
  /** Sign in with a password or a one-time link */
  consoleSignIn: {
    body: {
      email?: string | undefined;
      password?: string | undefined;
      token?: string | undefined;
    };
    answer: {
      user: {
        id: string;
        email: string;
        role: 'member' | 'operator';
        has_password: boolean;
        /** Whether a new password requires the current one */
        password_needed: boolean;
      };
      account: {
        id: string;
        name: string;
        email: string;
        overage: boolean;
        created_at: string;
        plan: {
          id: string;
          name: string;
          pro: boolean;
          credits: number;
          rate_limit: number;
          blocklist_entries: number;
        };
      };
      session: {
        id: string;
        created_at: string;
        ends_at: string;
      };
      environments: Array<'production' | 'staging' | 'development'>;
      version: string;
    };
  };
  /** Whom a one-time link signs in; the link stays valid */
  consoleReadLink: {
    body: {
      token: string;
    };
    answer: {
      email: string;
      /** The name of the account */
      account: string;
    };
  };
  /** Sign out, here or everywhere */
  consoleSignOut: {
    body: {
      everywhere?: boolean | undefined;
    };
    answer: undefined;
  };
  /** The signed-in user, their account and session */
  consoleMe: {
    answer: {
      user: {
        id: string;
        email: string;
        role: 'member' | 'operator';
        has_password: boolean;
        /** Whether a new password requires the current one */
        password_needed: boolean;
      };
      account: {
        id: string;
        name: string;
        email: string;
        overage: boolean;
        created_at: string;
        plan: {
          id: string;
          name: string;
          pro: boolean;
          credits: number;
          rate_limit: number;
          blocklist_entries: number;
        };
      };
      session: {
        id: string;
        created_at: string;
        ends_at: string;
      };
      environments: Array<'production' | 'staging' | 'development'>;
      version: string;
    };
  };
  /** Set a password, which ends every other session */
  consoleSetPassword: {
    body: {
      password: string;
      current_password?: string | undefined;
      email?: string | undefined;
    };
    answer: undefined;
  };
  /** The sessions of the signed-in user, newest first */
  consoleSessions: {
    answer: {
      data: Array<{
        id: string;
        created_at: string;
        seen_at: string;
        from: string | null;
        /** The place of the IP address, as far as it is known */
        location: string | null;
        agent: string | null;
        current: boolean;
      }>;
    };
  };
  /** End one of their own sessions */
  consoleEndSession: {
    path: {
      id: string;
    };
    answer: undefined;
  };
  /** The users of the account, oldest first */
  consoleUsers: {
    answer: {
      data: Array<{
        id: string;
        email: string;
        role: 'member' | 'operator';
        has_password: boolean;
        created_at: string;
        signed_in_at: string | null;
        you: boolean;
      }>;
    };
  };
  /** Create a user, with a sign-in link */
  consoleCreateUser: {
    body: {
      email: string;
      role?: 'member' | 'operator' | undefined;
    };
    answer: {
      user: {
        id: string;
        email: string;
        role: 'member' | 'operator';
        has_password: boolean;
        created_at: string;
        signed_in_at: string | null;
        you: boolean;
      };
      link: {
        url: string;
        expires_at: string;
      };
    };
  };
  /** Create a sign-in link, which replaces the previous one */
  consoleInviteUser: {
    path: {
      id: string;
    };
    answer: {
      user: {
        id: string;
        email: string;
        role: 'member' | 'operator';
        has_password: boolean;
        created_at: string;
        signed_in_at: string | null;
        you: boolean;
      };
      link: {
        url: string;
        expires_at: string;
      };
    };
  };
  /** Delete a user and end their sessions */
  consoleDeleteUser: {
    path: {
      id: string;
    };
    answer: undefined;
  };
  /** Change the account */
  consoleChangeAccount: {
    body: {
      name?: string | undefined;
      overage?: boolean | undefined;
    };
    answer: {
      account: {
        id: string;
        name: string;
        email: string;
        overage: boolean;
        created_at: string;
        plan: {
          id: string;
          name: string;
          pro: boolean;
          credits: number;
          rate_limit: number;
          blocklist_entries: number;
        };
      };
    };
  };
  /** The keys of the account, in every environment */
  consoleKeys: {
    answer: {
      data: Array<{
        id: string;
        environment: 'production' | 'staging' | 'development';
        name: string | null;
        prefix: string;
        last4: string;
        state: 'in_use' | 'expired' | 'revoked';
        created_at: string;
        last_used_at: string | null;
        expires_at: string | null;
        revoked_at: string | null;
        /** Set when the key is for web pages */
        publishable: {
          origins: Array<string>;
          disposable: boolean;
        } | null;
      }>;
    };
  };
  /** Create a key; only this response contains it */
  consoleCreateKey: {
    body: {
      environment: 'production' | 'staging' | 'development';
      name?: string | null | undefined;
      expires_at?: string | null | undefined;
      publishable?: {
        origins: ReadonlyArray<string>;
        disposable?: boolean | undefined;
      } | null | undefined;
    };
    answer: {
      data: {
        id: string;
        environment: 'production' | 'staging' | 'development';
        name: string | null;
        prefix: string;
        last4: string;
        state: 'in_use' | 'expired' | 'revoked';
        created_at: string;
        last_used_at: string | null;
        expires_at: string | null;
        revoked_at: string | null;
        /** Set when the key is for web pages */
        publishable: {
          origins: Array<string>;
          disposable: boolean;
        } | null;
      };
      key: string;
    };
  };
  /** Rename a key */
  consoleRenameKey: {
    path: {
      id: string;
    };
    body: {
      name: string;
    };
    answer: {
      data: {
        id: string;
        environment: 'production' | 'staging' | 'development';
        name: string | null;
        prefix: string;
        last4: string;
        state: 'in_use' | 'expired' | 'revoked';
        created_at: string;
        last_used_at: string | null;
        expires_at: string | null;
        revoked_at: string | null;
        /** Set when the key is for web pages */
        publishable: {
          origins: Array<string>;
          disposable: boolean;
        } | null;
      };
    };
  };
  /** Revoke a key */
  consoleRevokeKey: {
    path: {
      id: string;
    };
    answer: undefined;
  };
  /** Age, counts and sources of the lists */
  consoleLists: {
    answer: {
      built_at: string;
      fingerprint: string;
      size_bytes: number;
      counts: Record<string, number>;
      /** The share of the disposable domains of the last half year that lists of this age have; null when it is unknown */
      expected_recall: {
        share: number;
        edition: string;
      } | null;
      sources: Array<{
        name: string;
        version: string;
        date: string | null;
        count: number;
        licence: string;
        old: boolean;
        /** Names that no other source has; null for a source that names no domains */
        alone: number | null;
      }>;
      downloads: Array<{
        source: string;
        enabled: boolean;
        url: string;
        licence: string;
        fetched_at: string | null;
        checked_at: string | null;
        edition: {
          date: string;
          from: 'file' | 'server' | 'download';
        } | null;
        count: number;
        problem: string | null;
        every_hours: number;
        /** Null when the source is disabled or nothing is refreshed automatically */
        late: boolean | null;
      }>;
      ranks: {
        source: string | null;
        built_at: string | null;
        date: string | null;
        count: number;
        seed_count: number;
      };
      ip: {
        country: {
          source: string;
          version: string;
          date: string | null;
          licence: string;
          attribution: string;
        };
        networks: {
          source: string;
          version: string;
          date: string | null;
          licence: string;
          attribution: string;
        } | null;
        files: Array<{
          file: string;
          state: 'absent' | 'used' | 'refused';
          contents: Record<string, unknown> | null;
          taken_at: string | null;
          reason: string | null;
        }>;
      };
      operator: Record<string, number>;
      instances: Array<{
        host: string;
        version: string;
        fingerprint: string;
        built_at: string;
        seen_at: string;
      }>;
      problems: Array<{
        reason: string;
      }>;
      refresh: 'daily' | 'off';
      offline: boolean;
    };
  };
  /** The sources that name a domain, and since when */
  consoleDomainNamings: {
    path: {
      domain: string;
    };
    answer: {
      domain: string;
      /** When this installation began to record first_named */
      since: string;
      named_by: Array<{
        source: string;
        says: 'disposable' | 'public' | 'relay' | 'free_subdomain' | 'spam' | 'allowed';
        entry: string;
        date: string | null;
        /** The day on which the publisher first saw it; null where it does not say */
        first_seen: string | null;
        /** The day of the first edition in use here that has it; null when that was before since */
        first_named: string | null;
      }>;
    };
  };
  /** Progress of the running refresh, or the result of the last one */
  consoleRefreshProgress: {
    answer: {
      running: boolean;
      started_at: string | null;
      ended_at: string | null;
      done: number;
      total: number;
      current: {
        source: string;
        received_bytes: number;
        total_bytes: number | null;
      } | null;
      results: Array<{
        source: string;
        result: 'updated' | 'unchanged' | 'refused' | 'failed';
        count: number;
        added: number | null;
        removed: number | null;
        reason: string | null;
      }>;
      error: string | null;
    };
  };
  /** Start a refresh, or join the running one */
  consoleRefreshLists: {
    body: {
      sources?: ReadonlyArray<string> | undefined;
    };
    answer: {
      running: boolean;
      started_at: string | null;
      ended_at: string | null;
      done: number;
      total: number;
      current: {
        source: string;
        received_bytes: number;
        total_bytes: number | null;
      } | null;
      results: Array<{
        source: string;
        result: 'updated' | 'unchanged' | 'refused' | 'failed';
        count: number;
        added: number | null;
        removed: number | null;
        reason: string | null;
      }>;
      error: string | null;
    };
  };
  /** The operator’s own entries of a list */
  consoleListEntries: {
    path: {
      list: string;
    };
    answer: {
      list: string;
      total: number;
      entries: Array<string>;
    };
  };
  /** Add own entries to a list */
  consoleAddEntries: {
    path: {
      list: string;
    };
    body: {
      domains: ReadonlyArray<string>;
    };
    answer: {
      list: string;
      added: Array<string>;
      unchanged: Array<string>;
    };
  };
  /** Remove own entries from a list */
  consoleRemoveEntries: {
    path: {
      list: string;
    };
    body: {
      domains: ReadonlyArray<string>;
    };
    answer: {
      list: string;
      removed: Array<string>;
      unchanged: Array<string>;
    };
  };
}

/** How to call each operation, and which parts its response must have; null: it has no body. */
export const operations = {
  searchBlocklist: { method: 'GET', path: '/{environment}/blocklist/search', needs: ['data', 'meta'] },
  previewBlocklist: { method: 'POST', path: '/{environment}/blocklist/preview', needs: ['wrong'] },
  importBlocklist: { method: 'POST', path: '/{environment}/blocklist/import', needs: ['wrong'] },
  removeManyFromBlocklist: { method: 'POST', path: '/{environment}/blocklist/remove', needs: ['removed', 'missing'] },
  exportBlocklist: { method: 'GET', path: '/{environment}/blocklist/export', needs: ['data', 'meta'] },
  previewCustomListEntries: { method: 'POST', path: '/{environment}/v1/lists/{list_id}/entries/preview', needs: ['data'] },
  previewOutcomes: { method: 'POST', path: '/{environment}/outcomes/preview', needs: ['data'] },
  removeOutcomes: { method: 'POST', path: '/{environment}/outcomes/remove', needs: null },
  countDecisions: { method: 'GET', path: '/{environment}/decisions/count', needs: ['data'] },
  explainDecision: { method: 'GET', path: '/{environment}/decisions/{decision_id}', needs: ['data'] },
  summarizeGates: { method: 'GET', path: '/{environment}/gates-summary', needs: ['data'] },
  readRuleHealth: { method: 'GET', path: '/{environment}/gates/{gate_id}/rule-health', needs: ['data'] },
  listHookFormats: { method: 'GET', path: '/{environment}/hook-formats', needs: ['data'] },
  readWaveTimeline: { method: 'GET', path: '/{environment}/v1/waves/{wave_id}/timeline', needs: ['data'] },
  readWaveRule: { method: 'GET', path: '/{environment}/v1/waves/{wave_id}/rule', needs: ['data'] },
  readOverview: { method: 'GET', path: '/{environment}/overview', needs: ['data'] },
  consoleSignInState: { method: 'GET', path: '/sign-in', needs: [] },
  consoleSignIn: { method: 'POST', path: '/sign-in', needs: ['user', 'account', 'session', 'environments'] },
  consoleReadLink: { method: 'POST', path: '/sign-in/link', needs: [] },
  consoleSignOut: { method: 'POST', path: '/sign-out', needs: null },
  consoleMe: { method: 'GET', path: '/me', needs: ['user', 'account', 'session', 'environments'] },
  consoleSetPassword: { method: 'PUT', path: '/me/password', needs: null },
  consoleSessions: { method: 'GET', path: '/me/sessions', needs: ['data'] },
  consoleEndSession: { method: 'DELETE', path: '/me/sessions/{id}', needs: null },
  consoleUsers: { method: 'GET', path: '/users', needs: ['data'] },
  consoleCreateUser: { method: 'POST', path: '/users', needs: ['user', 'link'] },
  consoleInviteUser: { method: 'POST', path: '/users/{id}/link', needs: ['user', 'link'] },
  consoleDeleteUser: { method: 'DELETE', path: '/users/{id}', needs: null },
  consoleChangeAccount: { method: 'PATCH', path: '/account', needs: ['account'] },
  consoleKeys: { method: 'GET', path: '/keys', needs: ['data'] },
  consoleCreateKey: { method: 'POST', path: '/keys', needs: ['data'] },
  consoleRenameKey: { method: 'PATCH', path: '/keys/{id}', needs: ['data'] },
  consoleRevokeKey: { method: 'DELETE', path: '/keys/{id}', needs: null },
  consoleLists: { method: 'GET', path: '/lists', needs: ['counts', 'sources', 'downloads', 'ranks', 'ip', 'operator', 'instances', 'problems'] },
  consoleDomainNamings: { method: 'GET', path: '/lists/named/{domain}', needs: ['named_by'] },
  consoleRefreshProgress: { method: 'GET', path: '/lists/refresh', needs: ['results'] },
  consoleRefreshLists: { method: 'POST', path: '/lists/refresh', needs: ['results'] },
  consoleListEntries: { method: 'GET', path: '/lists/entries/{list}', needs: ['entries'] },
  consoleAddEntries: { method: 'POST', path: '/lists/entries/{list}', needs: ['added', 'unchanged'] },
  consoleRemoveEntries: { method: 'DELETE', path: '/lists/entries/{list}', needs: ['removed', 'unchanged'] },
} as const;
