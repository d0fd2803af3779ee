// Generated from openapi.json by scripts/openapi.ts; do not edit, run: npm run openapi

/** Objects that several operations share. */
export interface Schemas {
  "lookup-error": {
    status: number;
    error: string;
    /** Only with a publishable key, or while the address is blocked */
    message?: string;
  };
  "blocklist-error": {
    message: string;
    /** Validation errors, by field */
    errors?: Record<string, Array<string>>;
    /** Only with a publishable key, or while the address is blocked */
    status?: number;
    /** Only with a publishable key, or while the address is blocked */
    error?: string;
  };
  "gates-error": {
    /** Error code for programs to match on */
    error: string;
    message: string;
    /** Validation errors, by field */
    errors?: Record<string, Array<string>>;
    /** With list_in_use, the rules that use the list */
    rules?: Array<{
      gate_id: string;
      id: string;
      name: string;
    }>;
    /** Only with a publishable key, or while the address is blocked */
    status?: number;
  };
  "gates-v0-error": {
    /** Error code for programs to match on */
    error: string;
    message: string;
    /** Validation errors, by field */
    errors?: Record<string, Array<string>>;
    /** With list_in_use, the rules that use the list */
    rules?: Array<{
      gate_id: string;
      id: string;
      name: string;
    }>;
    /** Only with a publishable key, or while the address is blocked */
    status?: number;
    meta?: {
      request_id: string;
    };
  };
}

/** The input and the response of each operation. */
export interface Operations {
  /** Plan, current usage and remaining credits */
  getStatus: {
    answer: {
      status: string;
      account: {
        plan: {
          name: string;
          /** Credits per month */
          credits: number;
          /** The same as `credits`; older clients read it */
          requests: number;
          /** Requests per second */
          rate_limit: number;
        };
        user: {
          name: string;
          email: string;
        };
      };
      usage: {
        limit: number;
        current: number;
        /** Never negative */
        remaining: number;
        /** When the billing cycle ends */
        reset_at: string;
      };
    };
  };
  /** Signals about a domain */
  lookupDomain: {
    path: {
      domain: string;
    };
    query: {
      /** False skips the MX query and omits mx and mx_records */
      include_mx?: boolean | undefined;
      /** Comma-separated: domain_age_in_days, domain_authority. Delays the response until they are resolved (Pro) */
      wait?: string | undefined;
      /** Adds the reasons behind each signal (Pro) */
      explain?: boolean | undefined;
    };
    answer: {
      status: number;
      domain: string;
      /** Pro only: omitted on other plans */
      domain_authority?: number | null;
      /** Pro only: omitted on other plans */
      tld_trust?: number | null;
      domain_age_in_days: number | null;
      /** Omitted when include_mx=false */
      mx?: boolean | null;
      /** Omitted when include_mx=false */
      mx_records?: Array<{
        hostname: string;
        priority: number;
      }>;
      mx_providers: Array<{
        slug: string;
        type: string;
        grade: string;
      }>;
      /** strict, relaxed, neutral, permissive, missing, invalid; null when not assessed */
      spf: string | null;
      /** reject, quarantine, none, missing, invalid; null when not assessed */
      dmarc: string | null;
      disposable: boolean;
      /** Only when disposable is true. Pro only: omitted on other plans */
      disposable_provider?: string | null;
      public_domain: boolean;
      relay_domain: boolean;
      free_subdomain: boolean;
      spam: boolean;
      did_you_mean: string | null;
      /** Pro only: omitted on other plans */
      blocklisted?: boolean;
      /** Only with explain=true */
      explain?: Record<string, unknown>;
    };
  };
  /** Signals about an email address and its domain */
  lookupEmail: {
    path: {
      email: string;
    };
    query: {
      /** False skips the MX query and omits mx and mx_records */
      include_mx?: boolean | undefined;
      /** Comma-separated: domain_age_in_days, domain_authority. Delays the response until they are resolved (Pro) */
      wait?: string | undefined;
      /** Adds the reasons behind each signal (Pro) */
      explain?: boolean | undefined;
    };
    answer: {
      status: number;
      /** As submitted */
      email: string;
      /** An identity key, not a delivery address */
      normalized_email: string;
      role_account: boolean;
      /** The address contains a + tag @deprecated */
      alias: boolean;
      domain: string;
      /** Pro only: omitted on other plans */
      domain_authority?: number | null;
      /** Pro only: omitted on other plans */
      tld_trust?: number | null;
      domain_age_in_days: number | null;
      /** Omitted when include_mx=false */
      mx?: boolean | null;
      /** Omitted when include_mx=false */
      mx_records?: Array<{
        hostname: string;
        priority: number;
      }>;
      mx_providers: Array<{
        slug: string;
        type: string;
        grade: string;
      }>;
      /** strict, relaxed, neutral, permissive, missing, invalid; null when not assessed */
      spf: string | null;
      /** reject, quarantine, none, missing, invalid; null when not assessed */
      dmarc: string | null;
      disposable: boolean;
      /** Only when disposable is true. Pro only: omitted on other plans */
      disposable_provider?: string | null;
      public_domain: boolean;
      relay_domain: boolean;
      free_subdomain: boolean;
      spam: boolean;
      did_you_mean: string | null;
      /** Pro only: omitted on other plans */
      blocklisted?: boolean;
      /** Only with explain=true */
      explain?: Record<string, unknown>;
    };
  };
  /** Tell a visitor about a typo before a form is sent */
  readHint: {
    body: {
      email: string;
    };
    answer: {
      valid: boolean;
      /** The address that was probably meant */
      did_you_mean: string | null;
      /** Null unless the key shows it */
      disposable: boolean | null;
    };
  };
  /** The blocklisted domains of the key's environment, newest first */
  listBlocklist: {
    query: {
      page?: number | undefined;
      /** Clamped to 1 to 100 */
      per_page?: number | undefined;
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
      links: {
        first: string;
        last: string;
        prev: string | null;
        next: string | null;
      };
      meta: {
        current_page: number;
        from: number;
        last_page: number;
        links: Array<{
          url: string | null;
          label: string;
          active: boolean;
        }>;
        path: string;
        per_page: number;
        to: number;
        total: number;
      };
    };
  };
  /** Add a domain */
  addToBlocklist: {
    body: {
      domain: string;
    };
    answer: {
      data: {
        /** Normalised: lower case, internationalised names in punycode */
        domain: string;
        /** The readable form; only when it differs from `domain` */
        unicode_domain?: string;
        /** When the domain was added */
        created_at: string;
        /** Why it is listed; only when an import had a reason */
        reason?: string;
      };
    };
  };
  /** Add up to 1,000 domains */
  addManyToBlocklist: {
    body: {
      domains: ReadonlyArray<string>;
    };
    answer: {
      succeeded: number;
      failed: number;
      success: Array<{
        /** Normalised: lower case, internationalised names in punycode */
        domain: string;
        /** The readable form; only when it differs from `domain` */
        unicode_domain?: string;
        /** When the domain was added */
        created_at: string;
        /** Why it is listed; only when an import had a reason */
        reason?: string;
      }>;
      errors: Array<{
        domain: string;
        error: string;
      }>;
    };
  };
  /** Whether and since when a domain is blocklisted */
  getFromBlocklist: {
    path: {
      domain: string;
    };
    answer: {
      data: {
        /** Normalised: lower case, internationalised names in punycode */
        domain: string;
        /** The readable form; only when it differs from `domain` */
        unicode_domain?: string;
        /** When the domain was added */
        created_at: string;
        /** Why it is listed; only when an import had a reason */
        reason?: string;
      };
    };
  };
  /** Remove a domain */
  removeFromBlocklist: {
    path: {
      domain: string;
    };
    answer: {
      message: string;
    };
  };
  /** The custom lists of the environment, newest first */
  listCustomLists: {
    answer: {
      data: Array<{
        id: string;
        name: string;
        kind: 'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text';
        description: string | null;
        /** Without expired entries */
        entries_count: number;
        created_at: string;
        updated_at: string;
      }>;
    };
  };
  /** Create a custom list */
  createCustomList: {
    body: {
      name: string;
      /** What the entries are. It decides which fields a rule can compare with the list */
      kind: 'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text';
      description?: string | null | undefined;
      id?: unknown;
      entries_count?: unknown;
      rules?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        name: string;
        kind: 'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text';
        description: string | null;
        /** Without expired entries */
        entries_count: number;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** A custom list and the rules that use it */
  readCustomList: {
    path: {
      list_id: string;
    };
    answer: {
      data: {
        id: string;
        name: string;
        kind: 'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text';
        description: string | null;
        /** Without expired entries */
        entries_count: number;
        created_at: string;
        updated_at: string;
        /** The rules that use the list, disabled and shadow rules included */
        rules: Array<{
          gate_id: string;
          id: string;
          name: string;
        }>;
      };
    };
  };
  /** Change the name or the description of a custom list */
  changeCustomList: {
    path: {
      list_id: string;
    };
    body: {
      name?: string | undefined;
      description?: string | null | undefined;
      /** What the entries are. It decides which fields a rule can compare with the list */
      kind?: 'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text' | undefined;
      id?: unknown;
      entries_count?: unknown;
      rules?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        name: string;
        kind: 'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text';
        description: string | null;
        /** Without expired entries */
        entries_count: number;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** Remove a custom list that no rule uses, with its entries */
  removeCustomList: {
    path: {
      list_id: string;
    };
    answer: undefined;
  };
  /** The entries of a custom list, newest first */
  listCustomListEntries: {
    path: {
      list_id: string;
    };
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
      /** A text that the value or the note contains, ignoring case */
      q?: string | undefined;
    };
    answer: {
      data: Array<{
        /** Normalised */
        value: string;
        note: string | null;
        expires_at: string | null;
        /** Only for an expired entry, which matches nothing */
        expired?: boolean;
        created_at: string;
        /** Only in the console */
        created_by?: {
          kind: 'key' | 'user' | 'command' | 'service';
          id: string;
          name: string | null;
        };
      }>;
      meta: {
        next_cursor: string | null;
      };
    };
  };
  /** Add up to 1,000 entries, or change them */
  addToCustomList: {
    path: {
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
        added: number;
        /** Values that were listed already */
        updated: number;
        errors: Array<{
          index: number;
          value: string;
          error: string;
        }>;
      };
    };
  };
  /** Remove up to 1,000 entries by their values */
  removeFromCustomList: {
    path: {
      list_id: string;
    };
    body: {
      values: ReadonlyArray<string>;
    };
    answer: {
      data: {
        removed: number;
      };
    };
  };
  /** The gates of the environment, newest first */
  listGates: {
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
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
      }>;
      meta: {
        next_cursor: string | null;
      };
    };
  };
  /** Create a gate, with your rules or those of a preset */
  createGate: {
    body: {
      name: string;
      description?: string | null | undefined;
      default_action?: 'allow' | 'block' | 'challenge' | undefined;
      /** Every decision waits until these slow facts are resolved */
      wait?: ReadonlyArray<'domain_age_in_days' | 'domain_authority'> | undefined;
      /** Defaults to signup unless rules are sent; cannot be combined with rules */
      preset?: 'signup' | 'none' | undefined;
      rules?: ReadonlyArray<{
        name: string;
        description?: string | null | undefined;
        message?: string | null | undefined;
        match?: 'all' | 'any' | undefined;
        action: 'allow' | 'block' | 'challenge';
        /** A match is final: the rules below are not evaluated */
        stop?: boolean | undefined;
        enabled?: boolean | undefined;
        /** shadow: evaluated and counted, never decides */
        mode?: 'live' | 'shadow' | undefined;
        conditions: ReadonlyArray<{
          /** A path of GET /v1/fields */
          field: string;
          operator: string;
          /** The value that the operator compares with; omit it with is_known and is_unknown */
          value?: unknown;
        }>;
        /** The rule of the gate with this id is kept and changed */
        id?: string | undefined;
        position?: unknown;
        created_at?: unknown;
        updated_at?: unknown;
      }> | undefined;
      id?: unknown;
      rules_count?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        name: string;
        description: string | null;
        default_action: 'allow' | 'block' | 'challenge';
        /** Every decision waits until these slow facts are resolved */
        wait: Array<'domain_age_in_days' | 'domain_authority'>;
        rules_count: number;
        created_at: string;
        updated_at: string;
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
        }>;
      };
    };
  };
  /** A gate with its rules in order */
  readGate: {
    path: {
      gate_id: string;
    };
    answer: {
      data: {
        id: string;
        name: string;
        description: string | null;
        default_action: 'allow' | 'block' | 'challenge';
        /** Every decision waits until these slow facts are resolved */
        wait: Array<'domain_age_in_days' | 'domain_authority'>;
        rules_count: number;
        created_at: string;
        updated_at: string;
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
        }>;
      };
    };
  };
  /** Change a gate; if rules are sent, they replace all of its rules */
  changeGate: {
    path: {
      gate_id: string;
    };
    body: {
      name?: string | undefined;
      description?: string | null | undefined;
      default_action?: 'allow' | 'block' | 'challenge' | undefined;
      /** Every decision waits until these slow facts are resolved */
      wait?: ReadonlyArray<'domain_age_in_days' | 'domain_authority'> | undefined;
      rules?: ReadonlyArray<{
        name: string;
        description?: string | null | undefined;
        message?: string | null | undefined;
        match?: 'all' | 'any' | undefined;
        action: 'allow' | 'block' | 'challenge';
        /** A match is final: the rules below are not evaluated */
        stop?: boolean | undefined;
        enabled?: boolean | undefined;
        /** shadow: evaluated and counted, never decides */
        mode?: 'live' | 'shadow' | undefined;
        conditions: ReadonlyArray<{
          /** A path of GET /v1/fields */
          field: string;
          operator: string;
          /** The value that the operator compares with; omit it with is_known and is_unknown */
          value?: unknown;
        }>;
        /** The rule of the gate with this id is kept and changed */
        id?: string | undefined;
        position?: unknown;
        created_at?: unknown;
        updated_at?: unknown;
      }> | undefined;
      /** The revision the client read. If the gate has a different one, nothing changes (409 gate_changed) */
      expected_revision?: number | undefined;
      id?: unknown;
      rules_count?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        name: string;
        description: string | null;
        default_action: 'allow' | 'block' | 'challenge';
        /** Every decision waits until these slow facts are resolved */
        wait: Array<'domain_age_in_days' | 'domain_authority'>;
        rules_count: number;
        created_at: string;
        updated_at: string;
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
        }>;
      };
    };
  };
  /** Remove a gate, its rules, its log and its statistics */
  removeGate: {
    path: {
      gate_id: string;
    };
    answer: undefined;
  };
  /** The fields a condition can name, the operators of each, and the value each operator takes */
  listFields: {
    answer: {
      data: Array<{
        path: string;
        type: string;
        operators: Array<string>;
        /** The kinds of lists that in_list and not_in_list take */
        list_kinds?: Array<'email' | 'domain' | 'ip' | 'country' | 'asn' | 'text'>;
        description: string;
        /** Display name */
        label: string;
        /** The group that the console shows it in */
        group: 'Email' | 'Domain · name' | 'Domain · standing' | 'Domain · mail' | 'Domain · lists' | 'IP' | 'IP · place' | 'IP · network' | 'traffic';
        /** All possible values, if there are few */
        values?: Array<string>;
        /** The unit of its numbers */
        unit?: string;
        minimum?: number;
        maximum?: number;
      }>;
      operators: Array<{
        name: string;
        /** Display text between the field label and the value */
        label: string;
        negated: boolean;
        /** The value that a condition takes; it has the type of the field */
        value: {
          /** range: a list of two integers, [low, high]; custom_list: the id of a list of GET /v1/lists */
          kind: 'none' | 'one' | 'list' | 'range' | 'custom_list';
          min_items?: number;
          max_items?: number;
          /** For each string */
          min_length?: number;
          /** For each string */
          max_length?: number;
          /** Whether the value is a regular expression */
          pattern: boolean;
        };
      }>;
    };
  };
  /** The rules of a gate in order */
  listRules: {
    path: {
      gate_id: string;
    };
    answer: {
      data: Array<{
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
      }>;
    };
  };
  /** Add a rule at the end, or insert it at a position */
  addRule: {
    path: {
      gate_id: string;
    };
    body: {
      name: string;
      description?: string | null | undefined;
      message?: string | null | undefined;
      match?: 'all' | 'any' | undefined;
      action: 'allow' | 'block' | 'challenge';
      /** A match is final: the rules below are not evaluated */
      stop?: boolean | undefined;
      enabled?: boolean | undefined;
      /** shadow: evaluated and counted, never decides */
      mode?: 'live' | 'shadow' | undefined;
      conditions: ReadonlyArray<{
        /** A path of GET /v1/fields */
        field: string;
        operator: string;
        /** The value that the operator compares with; omit it with is_known and is_unknown */
        value?: unknown;
      }>;
      /** 0-based; past the end appends */
      position?: number | undefined;
      id?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
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
      };
    };
  };
  /** Replace all rules of a gate */
  replaceRules: {
    path: {
      gate_id: string;
    };
    body: {
      rules: ReadonlyArray<{
        name: string;
        description?: string | null | undefined;
        message?: string | null | undefined;
        match?: 'all' | 'any' | undefined;
        action: 'allow' | 'block' | 'challenge';
        /** A match is final: the rules below are not evaluated */
        stop?: boolean | undefined;
        enabled?: boolean | undefined;
        /** shadow: evaluated and counted, never decides */
        mode?: 'live' | 'shadow' | undefined;
        conditions: ReadonlyArray<{
          /** A path of GET /v1/fields */
          field: string;
          operator: string;
          /** The value that the operator compares with; omit it with is_known and is_unknown */
          value?: unknown;
        }>;
        /** The rule of the gate with this id is kept and changed */
        id?: string | undefined;
        position?: unknown;
        created_at?: unknown;
        updated_at?: unknown;
      }>;
      default_action?: 'allow' | 'block' | 'challenge' | undefined;
      /** The revision the client read. If the gate has a different one, nothing changes (409 gate_changed) */
      expected_revision?: number | undefined;
    };
    answer: {
      data: Array<{
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
      }>;
    };
  };
  /** Reorder the rules of a gate */
  orderRules: {
    path: {
      gate_id: string;
    };
    body: {
      rule_ids: ReadonlyArray<string>;
    };
    answer: {
      data: Array<{
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
      }>;
    };
  };
  /** One rule of a gate */
  readRule: {
    path: {
      gate_id: string;
      rule_id: string;
    };
    answer: {
      data: {
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
      };
    };
  };
  /** Change a rule, or move it to another position */
  changeRule: {
    path: {
      gate_id: string;
      rule_id: string;
    };
    body: {
      name?: string | undefined;
      description?: string | null | undefined;
      message?: string | null | undefined;
      match?: 'all' | 'any' | undefined;
      action?: 'allow' | 'block' | 'challenge' | undefined;
      /** A match is final: the rules below are not evaluated */
      stop?: boolean | undefined;
      enabled?: boolean | undefined;
      /** shadow: evaluated and counted, never decides */
      mode?: 'live' | 'shadow' | undefined;
      conditions?: ReadonlyArray<{
        /** A path of GET /v1/fields */
        field: string;
        operator: string;
        /** The value that the operator compares with; omit it with is_known and is_unknown */
        value?: unknown;
      }> | undefined;
      /** 0-based; past the end appends */
      position?: number | undefined;
      id?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
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
      };
    };
  };
  /** Remove a rule from a gate */
  removeRule: {
    path: {
      gate_id: string;
      rule_id: string;
    };
    answer: undefined;
  };
  /** The revisions of a gate: who changed what, newest first */
  listRevisions: {
    path: {
      gate_id: string;
    };
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
    };
    answer: {
      data: Array<{
        revision: number;
        changed_at: string;
        /** Null for a revision from before changes were recorded */
        changed_by: {
          kind: 'key' | 'user' | 'command' | 'service';
          id: string;
          /** The name of a key, the address of a user */
          name: string | null;
        } | null;
        /** The changes of this revision; fields without a change are omitted */
        changes: {
          fields?: Array<string>;
          rules_added?: Array<{
            id: string;
            name: string;
          }>;
          rules_removed?: Array<{
            id: string;
            name: string;
          }>;
          rules_changed?: Array<{
            id: string;
            name: string;
            fields: Array<string>;
          }>;
          /** All rules in their new order, if the order changed */
          rules_ordered?: Array<string>;
        };
        name: string;
        default_action: 'allow' | 'block' | 'challenge';
        rules_count: number;
      }>;
      meta: {
        next_cursor: string | null;
      };
    };
  };
  /** A gate at one revision */
  readRevision: {
    path: {
      gate_id: string;
      revision: string;
    };
    answer: {
      data: {
        revision: number;
        changed_at: string;
        /** Null for a revision from before changes were recorded */
        changed_by: {
          kind: 'key' | 'user' | 'command' | 'service';
          id: string;
          /** The name of a key, the address of a user */
          name: string | null;
        } | null;
        /** The changes of this revision; fields without a change are omitted */
        changes: {
          fields?: Array<string>;
          rules_added?: Array<{
            id: string;
            name: string;
          }>;
          rules_removed?: Array<{
            id: string;
            name: string;
          }>;
          rules_changed?: Array<{
            id: string;
            name: string;
            fields: Array<string>;
          }>;
          /** All rules in their new order, if the order changed */
          rules_ordered?: Array<string>;
        };
        name: string;
        default_action: 'allow' | 'block' | 'challenge';
        rules_count: number;
        description: string | null;
        /** Every decision waits until these slow facts are resolved */
        wait: Array<'domain_age_in_days' | 'domain_authority'>;
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
        }>;
      };
    };
  };
  /** Restore an earlier revision of a gate, as a new revision */
  restoreRevision: {
    path: {
      gate_id: string;
      revision: string;
    };
    body: {
      /** The revision the client read. If the gate has a different one, nothing changes (409 gate_changed) */
      expected_revision?: number | undefined;
    };
    answer: {
      data: {
        id: string;
        name: string;
        description: string | null;
        default_action: 'allow' | 'block' | 'challenge';
        /** Every decision waits until these slow facts are resolved */
        wait: Array<'domain_age_in_days' | 'domain_authority'>;
        rules_count: number;
        created_at: string;
        updated_at: string;
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
        }>;
      };
    };
  };
  /** Decide about an address or a domain */
  decide: {
    path: {
      gate_id: string;
    };
    body: {
      /** The address to decide about; or send domain */
      email?: string | null | undefined;
      /** The domain to decide about; or send email */
      domain?: string | null | undefined;
      /** The visitor's IP address; costs 2 more credits */
      ip?: string | null | undefined;
      /** Your identifier of the visitor's device, such as a fingerprint or an installation id. Only a keyed hash of it is kept */
      device?: string | null | undefined;
      /** Delays the response until these are resolved: domain_age_in_days, domain_authority */
      wait?: ReadonlyArray<string> | null | undefined;
    };
    answer: {
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
    };
  };
  /** The decisions of a gate, newest first */
  listDecisions: {
    path: {
      gate_id: string;
    };
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
      /** This address, in upper or lower case */
      email?: string | undefined;
      /** This domain, and addresses at it */
      domain?: string | undefined;
      ip?: string | undefined;
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
      data: Array<{
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
      }>;
      meta: {
        next_cursor: string | null;
        /** True if a damaged part of the log was skipped, which may hold more entries; otherwise absent */
        entries_missing?: boolean;
      };
    };
  };
  /** Decide, with the older contract */
  decideV0: {
    path: {
      gate_id: string;
    };
    body: {
      /** The address to decide about; or send domain */
      email?: string | null | undefined;
      /** The domain to decide about; or send email */
      domain?: string | null | undefined;
      /** The visitor's IP address; costs 2 more credits */
      ip?: string | null | undefined;
      /** Your identifier of the visitor's device, such as a fingerprint or an installation id. Only a keyed hash of it is kept */
      device?: string | null | undefined;
      /** Delays the response until these are resolved: domain_age_in_days, domain_authority */
      wait?: ReadonlyArray<string> | null | undefined;
    };
    answer: {
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
    };
  };
  /** One decision of a gate */
  readDecision: {
    path: {
      gate_id: string;
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
      };
    };
  };
  /** Report what became of a decision */
  setOutcome: {
    path: {
      gate_id: string;
      decision_id: string;
    };
    body: {
      outcome: 'good' | 'bad';
      reason?: string | null | undefined;
    };
    answer: {
      data: {
        outcome: 'good' | 'bad';
        outcome_reason: string | null;
      };
    };
  };
  /** Remove a decision's outcome */
  removeOutcome: {
    path: {
      gate_id: string;
      decision_id: string;
    };
    answer: undefined;
  };
  /** Report what became of up to 1,000 decisions or addresses, all or none */
  reportOutcomes: {
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
  /** Rules that would have stopped bad decisions, derived from reported outcomes; read-only */
  suggestRules: {
    path: {
      gate_id: string;
    };
    body: {
      /** ISO 8601 */
      from?: string | undefined;
      /** ISO 8601 */
      to?: string | undefined;
      action?: 'block' | 'challenge' | undefined;
    };
    answer: {
      data: Array<{
        rule: {
          name: string;
          match: 'all' | 'any';
          action: 'allow' | 'block' | 'challenge';
          conditions: Array<{
            /** A path of GET /v1/fields */
            field: string;
            operator: string;
            /** The value that the operator compares with; omit it with is_known and is_unknown */
            value?: unknown;
          }>;
        };
        /** Allowed decisions with the outcome bad that the rule matches */
        stops_bad: number;
        /** Allowed decisions with the outcome good */
        stops_good: number;
        /** Allowed decisions without an outcome. Of the newest 100,000 allowed decisions; beyond 8,000 of a kind the counts are estimated from a sample */
        stops_unknown: number;
        examples: Array<{
          decision_id: string;
          email?: string;
          domain?: string;
          outcome: 'good' | 'bad' | null;
        }>;
      }>;
    };
  };
  /** Decision counts of a gate by action, rule and time */
  readStats: {
    path: {
      gate_id: string;
    };
    query: {
      /** ISO 8601 */
      from?: string | undefined;
      /** ISO 8601 */
      to?: string | undefined;
      interval?: 'hour' | 'day' | undefined;
    };
    answer: {
      data: {
        actions: {
          allow: number;
          block: number;
          challenge: number;
        };
        rules: Array<{
          id: string;
          name: string;
          /** Matches while the rule was live */
          count: number;
          /** Matches in shadow mode */
          shadow_count: number;
          /** Matched decisions with the outcome good, also in shadow mode */
          good: number;
          /** Matched decisions with the outcome bad, also in shadow mode */
          bad: number;
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
        buckets: Array<{
          at: string;
          allow: number;
          block: number;
          challenge: number;
        }>;
      };
    };
  };
  /** Find the logged decisions that proposed rules would have changed; read-only */
  backtest: {
    path: {
      gate_id: string;
    };
    body: {
      rules: ReadonlyArray<{
        name: string;
        description?: string | null | undefined;
        message?: string | null | undefined;
        match?: 'all' | 'any' | undefined;
        action: 'allow' | 'block' | 'challenge';
        /** A match is final: the rules below are not evaluated */
        stop?: boolean | undefined;
        enabled?: boolean | undefined;
        /** shadow: evaluated and counted, never decides */
        mode?: 'live' | 'shadow' | undefined;
        conditions: ReadonlyArray<{
          /** A path of GET /v1/fields */
          field: string;
          operator: string;
          /** The value that the operator compares with; omit it with is_known and is_unknown */
          value?: unknown;
        }>;
        /** The rule of the gate with this id is kept and changed */
        id?: string | undefined;
        position?: unknown;
        created_at?: unknown;
        updated_at?: unknown;
      }>;
      default_action?: 'allow' | 'block' | 'challenge' | undefined;
      against?: 'log' | 'rules' | undefined;
      /** labelled: up to 100 changed decisions with an outcome, in place of the 20 newest */
      examples?: 'newest' | 'labelled' | undefined;
      /** ISO 8601 */
      from?: string | undefined;
      /** ISO 8601 */
      to?: string | undefined;
    };
    answer: {
      data: {
        /** The newest logged decisions, at most 10,000 */
        evaluated: number;
        /** False if the backtest skipped decisions: there were more than 10,000, it used more than two seconds of processor time, or part of the log is damaged */
        complete: boolean;
        changed: number;
        changes: Array<{
          from: 'allow' | 'block' | 'challenge';
          to: 'allow' | 'block' | 'challenge';
          count: number;
          good: number;
          bad: number;
        }>;
        examples: Array<{
          decision_id: string;
          email?: string;
          domain?: string;
          from: 'allow' | 'block' | 'challenge';
          to: 'allow' | 'block' | 'challenge';
          /** The proposed rule that would decide; null for the default action */
          rule: string | null;
          /** What became of it; only with `examples: labelled` */
          outcome?: 'good' | 'bad';
        }>;
      };
    };
  };
  /** The decisions of all gates, newest first, without their signals */
  searchDecisions: {
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
      data: Array<{
        id: string;
        created_at: string;
        gate: {
          id: string;
          name: string;
        };
        input: {
          email?: string;
          domain?: string;
          ip?: string;
        };
        /** The first 12 hexadecimal digits of the keyed hash of `device`; null if none was sent */
        device: string | null;
        /** The hook that asked; null for a client with a key */
        hook_id: string | null;
        domain: string;
        action: 'allow' | 'block' | 'challenge';
        /** Null when no rule matched and the default action applied */
        matched_rule: {
          id: string;
          name: string;
          message: string | null;
        } | null;
        /** Null for entries from before revisions were recorded */
        revision: number | null;
        /** The list sources that named the domain at that moment, with the entry that matched (the domain or one above it) and the date of their edition. `operator` means your own entries. Null for decisions of version 0.1.0 */
        named_by: Array<{
          source: string;
          says: 'disposable' | 'public' | 'relay' | 'free_subdomain' | 'spam' | 'allowed';
          entry: string;
          date: string | null;
        }> | null;
        /** Null if none was reported */
        outcome: 'good' | 'bad' | null;
        outcome_reason: string | null;
      }>;
      meta: {
        next_cursor: string | null;
        /** True if a damaged part of the log was skipped, which may hold more entries; otherwise absent */
        entries_missing?: boolean;
      };
    };
  };
  /** Explain a decision: the result of each rule and condition */
  trace: {
    path: {
      gate_id: string;
    };
    body: {
      /** The address to decide about; or send domain */
      email?: string | null | undefined;
      /** The domain to decide about; or send email */
      domain?: string | null | undefined;
      /** The address of the visitor */
      ip?: string | null | undefined;
      /** Your identifier of the visitor's device, such as a fingerprint or an installation id. Only a keyed hash of it is kept */
      device?: string | null | undefined;
      /** Delays the response until these are resolved: domain_age_in_days, domain_authority */
      wait?: ReadonlyArray<string> | null | undefined;
      /** A logged decision of the gate, in place of email and domain */
      decision_id?: string | undefined;
      /** Evaluated instead of the gate's own rules. Invalid rules are listed in problems; the others are traced */
      rules?: ReadonlyArray<{
        name: string;
        description?: string | null | undefined;
        message?: string | null | undefined;
        match?: 'all' | 'any' | undefined;
        action: 'allow' | 'block' | 'challenge';
        /** A match is final: the rules below are not evaluated */
        stop?: boolean | undefined;
        enabled?: boolean | undefined;
        /** shadow: evaluated and counted, never decides */
        mode?: 'live' | 'shadow' | undefined;
        conditions: ReadonlyArray<{
          /** A path of GET /v1/fields */
          field: string;
          operator: string;
          /** The value that the operator compares with; omit it with is_known and is_unknown */
          value?: unknown;
        }>;
        /** The rule of the gate with this id is kept and changed */
        id?: string | undefined;
        position?: unknown;
        created_at?: unknown;
        updated_at?: unknown;
      }> | undefined;
      default_action?: 'allow' | 'block' | 'challenge' | undefined;
    };
    answer: {
      data: {
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
      };
    };
  };
  /** The smallest changes that would allow the subject of a decision; read-only */
  findExceptions: {
    path: {
      gate_id: string;
      decision_id: string;
    };
    answer: {
      data: {
        /** What the current rules decide about the subject */
        action: 'allow' | 'block' | 'challenge';
        changes: Array<{
          summary: string;
          request: {
            method: 'POST' | 'PATCH';
            path: string;
            body: Record<string, unknown>;
          };
          /** The newest decisions of the last 30 days, at most 10,000 */
          evaluated: number;
          /** False if decisions were left out */
          complete: boolean;
          /** Evaluated decisions that it would have allowed and the current rules do not */
          allows: number;
          /** Those with the outcome good */
          allows_good: number;
          /** Those with the outcome bad */
          allows_bad: number;
        }>;
      };
    };
  };
  /** The hooks of the environment, newest first */
  listHooks: {
    answer: {
      data: Array<{
        id: string;
        name: string;
        gate_id: string;
        /** The auth server; it cannot be changed */
        format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
        /** What the auth server calls */
        url: string;
        enabled: boolean;
        challenge: 'allow' | 'block';
        unavailable: 'allow' | 'block';
        message: string;
        /** The last four characters of the secret */
        secret_hint: string | null;
        /** The last call with a valid signature */
        last_call_at: string | null;
        /** Why the last failed call failed; null after a call that was decided */
        last_error: string | null;
        /** Calls of the last 24 hours by result; a challenge counts as what it became */
        calls_24h: {
          allow: number;
          block: number;
          no_email: number;
          unavailable: number;
          rejected: number;
          disabled: number;
        };
        /** What to set at the auth server, step by step */
        configuration: Array<{
          title: string;
          code: string | null;
        }>;
        created_at: string;
        updated_at: string;
      }>;
    };
  };
  /** Create a hook for an auth server; only this response contains its secret */
  createHook: {
    body: {
      name: string;
      /** The gate that decides */
      gate_id: string;
      /** The auth server; it cannot be changed */
      format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
      /** For supabase "v1,whsec_" and 24 to 64 bytes in base64. Without it one is generated, except for zitadel and workos */
      secret?: string | null | undefined;
      /** A disabled hook verifies calls and allows every sign-up without a decision */
      enabled?: boolean | undefined;
      /** The answer when the gate says challenge: no auth server can show one */
      challenge?: 'allow' | 'block' | undefined;
      /** The answer when the service cannot decide */
      unavailable?: 'allow' | 'block' | undefined;
      /** Shown to a blocked visitor when the deciding rule has no message */
      message?: string | undefined;
      id?: unknown;
      url?: unknown;
      secret_hint?: unknown;
      last_call_at?: unknown;
      last_error?: unknown;
      calls_24h?: unknown;
      configuration?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        name: string;
        gate_id: string;
        /** The auth server; it cannot be changed */
        format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
        /** What the auth server calls */
        url: string;
        enabled: boolean;
        challenge: 'allow' | 'block';
        unavailable: 'allow' | 'block';
        message: string;
        /** The last four characters of the secret */
        secret_hint: string | null;
        /** The last call with a valid signature */
        last_call_at: string | null;
        /** Why the last failed call failed; null after a call that was decided */
        last_error: string | null;
        /** Calls of the last 24 hours by result; a challenge counts as what it became */
        calls_24h: {
          allow: number;
          block: number;
          no_email: number;
          unavailable: number;
          rejected: number;
          disabled: number;
        };
        /** What to set at the auth server, step by step */
        configuration: Array<{
          title: string;
          code: string | null;
        }>;
        /** Shown only in this response; null until the one that the auth server generates is set */
        secret: string | null;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** A hook */
  readHook: {
    path: {
      hook_id: string;
    };
    answer: {
      data: {
        id: string;
        name: string;
        gate_id: string;
        /** The auth server; it cannot be changed */
        format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
        /** What the auth server calls */
        url: string;
        enabled: boolean;
        challenge: 'allow' | 'block';
        unavailable: 'allow' | 'block';
        message: string;
        /** The last four characters of the secret */
        secret_hint: string | null;
        /** The last call with a valid signature */
        last_call_at: string | null;
        /** Why the last failed call failed; null after a call that was decided */
        last_error: string | null;
        /** Calls of the last 24 hours by result; a challenge counts as what it became */
        calls_24h: {
          allow: number;
          block: number;
          no_email: number;
          unavailable: number;
          rejected: number;
          disabled: number;
        };
        /** What to set at the auth server, step by step */
        configuration: Array<{
          title: string;
          code: string | null;
        }>;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** Change a hook */
  changeHook: {
    path: {
      hook_id: string;
    };
    body: {
      name?: string | undefined;
      /** The gate that decides */
      gate_id?: string | undefined;
      /** The auth server; it cannot be changed */
      format?: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic' | undefined;
      /** A disabled hook verifies calls and allows every sign-up without a decision */
      enabled?: boolean | undefined;
      /** The answer when the gate says challenge: no auth server can show one */
      challenge?: 'allow' | 'block' | undefined;
      /** The answer when the service cannot decide */
      unavailable?: 'allow' | 'block' | undefined;
      /** Shown to a blocked visitor when the deciding rule has no message */
      message?: string | undefined;
      id?: unknown;
      url?: unknown;
      secret_hint?: unknown;
      last_call_at?: unknown;
      last_error?: unknown;
      calls_24h?: unknown;
      configuration?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        name: string;
        gate_id: string;
        /** The auth server; it cannot be changed */
        format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
        /** What the auth server calls */
        url: string;
        enabled: boolean;
        challenge: 'allow' | 'block';
        unavailable: 'allow' | 'block';
        message: string;
        /** The last four characters of the secret */
        secret_hint: string | null;
        /** The last call with a valid signature */
        last_call_at: string | null;
        /** Why the last failed call failed; null after a call that was decided */
        last_error: string | null;
        /** Calls of the last 24 hours by result; a challenge counts as what it became */
        calls_24h: {
          allow: number;
          block: number;
          no_email: number;
          unavailable: number;
          rejected: number;
          disabled: number;
        };
        /** What to set at the auth server, step by step */
        configuration: Array<{
          title: string;
          code: string | null;
        }>;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** Remove a hook; its URL then answers 404 */
  removeHook: {
    path: {
      hook_id: string;
    };
    answer: undefined;
  };
  /** Set or rotate a hook's secret; only this response contains the new one */
  rotateHookSecret: {
    path: {
      hook_id: string;
    };
    body: {
      /** For supabase "v1,whsec_" and 24 to 64 bytes in base64. Without it one is generated, except for zitadel and workos */
      secret?: string | undefined;
      /** Whether the old secret is accepted for 24 hours more */
      keep_old?: boolean | undefined;
    };
    answer: {
      data: {
        id: string;
        name: string;
        gate_id: string;
        /** The auth server; it cannot be changed */
        format: 'supabase' | 'kratos' | 'zitadel' | 'okta' | 'workos' | 'fusionauth' | 'generic';
        /** What the auth server calls */
        url: string;
        enabled: boolean;
        challenge: 'allow' | 'block';
        unavailable: 'allow' | 'block';
        message: string;
        /** The last four characters of the secret */
        secret_hint: string | null;
        /** The last call with a valid signature */
        last_call_at: string | null;
        /** Why the last failed call failed; null after a call that was decided */
        last_error: string | null;
        /** Calls of the last 24 hours by result; a challenge counts as what it became */
        calls_24h: {
          allow: number;
          block: number;
          no_email: number;
          unavailable: number;
          rejected: number;
          disabled: number;
        };
        /** What to set at the auth server, step by step */
        configuration: Array<{
          title: string;
          code: string | null;
        }>;
        /** Shown only in this response; null until the one that the auth server generates is set */
        secret: string | null;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** The request that the auth server would send for a sign-up, and the response */
  testHook: {
    path: {
      hook_id: string;
    };
    body: {
      email: string;
      ip?: string | null | undefined;
    };
    answer: {
      data: {
        request: {
          method: string;
          url: string;
          /** Secrets and signatures are `…` */
          headers: Record<string, string>;
          body: Record<string, unknown>;
        };
        response: {
          status: number;
          /** The content type */
          headers: Record<string, string>;
          body: string;
        };
      };
    };
  };
  /** Waves of sign-ups that arrived together and share a value, newest first */
  listWaves: {
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
      state?: 'open' | 'ended' | undefined;
      kind?: 'mailbox' | 'device' | 'domain' | 'mail_server' | 'network' | 'shape' | 'new_domains' | undefined;
      /** ISO 8601 */
      from?: string | undefined;
      /** ISO 8601 */
      to?: string | undefined;
    };
    answer: {
      data: Array<{
        id: string;
        /** What its addresses share */
        kind: 'mailbox' | 'device' | 'domain' | 'mail_server' | 'network' | 'shape' | 'new_domains';
        /** The mailbox as the log shows addresses, the first digits of the device's hash, the registrable domain, the mail server's registrable domain or host, the CIDR block or `AS…`, the shape (`aaaa999` is four letters and three digits), or `new domains` */
        value: string;
        /** Its addresses arrived within a day rather than an hour */
        slow: boolean;
        /** Every decision of the ten minutes before `last_at` was blocked or challenged */
        stopped: boolean;
        state: 'open' | 'ended';
        began_at: string;
        /** When its last new address arrived */
        last_at: string;
        ended_at: string | null;
        /** Distinct addresses; spellings for networks and mailboxes, domains for `new_domains` */
        addresses: number;
        /** Of these, reported as bad */
        confirmed_bad: number;
        /** Of these, reported as good */
        confirmed_good: number;
        /** Distinct registrable domains */
        domains: number;
        /** Distinct IP addresses */
        ips: number;
        /** Decisions with this action */
        allow: number;
        /** Decisions with this action */
        block: number;
        /** Decisions with this action */
        challenge: number;
        /** Addresses per hour over the week before */
        usual_per_hour: number;
        verdict: 'attack' | 'fine' | null;
        created_at: string;
      }>;
      meta: {
        next_cursor: string | null;
      };
    };
  };
  /** How the environment is monitored for waves */
  readWaveSettings: {
    answer: {
      data: {
        enabled: boolean;
        min_addresses: number;
        factor: number;
      };
    };
  };
  /** Change how the environment is monitored for waves */
  changeWaveSettings: {
    body: {
      enabled?: boolean | undefined;
      /** The fewest addresses of a wave */
      min_addresses?: number | undefined;
      /** How many times the usual hourly rate a wave has */
      factor?: number | undefined;
    };
    answer: {
      data: {
        enabled: boolean;
        min_addresses: number;
        factor: number;
      };
    };
  };
  /** A wave, what its value is, some of its decisions and the rule that would have stopped it */
  readWave: {
    path: {
      wave_id: string;
    };
    answer: {
      data: {
        id: string;
        /** What its addresses share */
        kind: 'mailbox' | 'device' | 'domain' | 'mail_server' | 'network' | 'shape' | 'new_domains';
        /** The mailbox as the log shows addresses, the first digits of the device's hash, the registrable domain, the mail server's registrable domain or host, the CIDR block or `AS…`, the shape (`aaaa999` is four letters and three digits), or `new domains` */
        value: string;
        /** Its addresses arrived within a day rather than an hour */
        slow: boolean;
        /** Every decision of the ten minutes before `last_at` was blocked or challenged */
        stopped: boolean;
        state: 'open' | 'ended';
        began_at: string;
        /** When its last new address arrived */
        last_at: string;
        ended_at: string | null;
        /** Distinct addresses; spellings for networks and mailboxes, domains for `new_domains` */
        addresses: number;
        /** Of these, reported as bad */
        confirmed_bad: number;
        /** Of these, reported as good */
        confirmed_good: number;
        /** Distinct registrable domains */
        domains: number;
        /** Distinct IP addresses */
        ips: number;
        /** Decisions with this action */
        allow: number;
        /** Decisions with this action */
        block: number;
        /** Decisions with this action */
        challenge: number;
        /** Addresses per hour over the week before */
        usual_per_hour: number;
        verdict: 'attack' | 'fine' | null;
        created_at: string;
        /** What the value is, as its decisions saw it: of a network its owner, of a domain its age and mail servers */
        about: {
          /** One sentence */
          text: string;
          owner: string | null;
          asn: number | null;
          country_code: string | null;
          class: string | null;
          age_days: number | null;
          mail_servers: Array<string> | null;
          relay: boolean | null;
          disposable: boolean | null;
          domains: Array<string>;
          example: string | null;
        };
        /** The rules that turned its decisions away, the one with the most first */
        stopped_by: Array<{
          gate_id: string;
          /** Null for the default action of the gate */
          rule: {
            id: string;
            name: string;
          } | null;
          since: string;
          /** Decisions of the wave that it blocked or challenged */
          turned_away: number;
        }>;
        samples: Array<{
          decision_id: string;
          /** Hashed if the log hashes addresses */
          email: string;
          ip: string | null;
          action: string;
          created_at: string;
        }>;
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
      };
    };
  };
  /** Record whether a wave is an attack */
  judgeWave: {
    path: {
      wave_id: string;
    };
    body: {
      verdict: 'attack' | 'fine' | null;
      id?: unknown;
      kind?: unknown;
      value?: unknown;
      slow?: unknown;
      stopped?: unknown;
      state?: unknown;
      began_at?: unknown;
      last_at?: unknown;
      ended_at?: unknown;
      addresses?: unknown;
      confirmed_bad?: unknown;
      confirmed_good?: unknown;
      domains?: unknown;
      ips?: unknown;
      allow?: unknown;
      block?: unknown;
      challenge?: unknown;
      usual_per_hour?: unknown;
      created_at?: unknown;
      about?: unknown;
      stopped_by?: unknown;
      samples?: unknown;
      rule?: unknown;
      list_entry?: unknown;
    };
    answer: {
      data: {
        id: string;
        /** What its addresses share */
        kind: 'mailbox' | 'device' | 'domain' | 'mail_server' | 'network' | 'shape' | 'new_domains';
        /** The mailbox as the log shows addresses, the first digits of the device's hash, the registrable domain, the mail server's registrable domain or host, the CIDR block or `AS…`, the shape (`aaaa999` is four letters and three digits), or `new domains` */
        value: string;
        /** Its addresses arrived within a day rather than an hour */
        slow: boolean;
        /** Every decision of the ten minutes before `last_at` was blocked or challenged */
        stopped: boolean;
        state: 'open' | 'ended';
        began_at: string;
        /** When its last new address arrived */
        last_at: string;
        ended_at: string | null;
        /** Distinct addresses; spellings for networks and mailboxes, domains for `new_domains` */
        addresses: number;
        /** Of these, reported as bad */
        confirmed_bad: number;
        /** Of these, reported as good */
        confirmed_good: number;
        /** Distinct registrable domains */
        domains: number;
        /** Distinct IP addresses */
        ips: number;
        /** Decisions with this action */
        allow: number;
        /** Decisions with this action */
        block: number;
        /** Decisions with this action */
        challenge: number;
        /** Addresses per hour over the week before */
        usual_per_hour: number;
        verdict: 'attack' | 'fine' | null;
        created_at: string;
      };
    };
  };
  /** Add the rule against a wave to a gate, with its list and entry if it needs them */
  acceptWaveRule: {
    path: {
      wave_id: string;
    };
    body: {
      /** By default the gate that let most of the wave in */
      gate_id?: string | undefined;
      /** By default what the draft does; a draft that challenges does not block */
      action?: 'challenge' | 'block' | undefined;
    };
    answer: {
      data: {
        gate_id: string;
        /** Null when the gate has a live rule that does it */
        rule: {
          id: string;
          name: string;
          action: string;
        } | null;
        /** Null for other kinds than networks, and when the list has it */
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
      };
    };
  };
  /** Report what became of all allowed decisions of a wave, and list them */
  reportWaveOutcome: {
    path: {
      wave_id: string;
    };
    body: {
      outcome?: 'good' | 'bad' | undefined;
    };
    answer: {
      data: {
        /** Decisions whose outcome this has changed */
        reported: number;
        /** Its allowed decisions that the log still has, newest first, 10,000 at most */
        decisions: Array<{
          decision_id: string;
          gate_id: string;
          /** Hashed if the log hashes addresses */
          email: string;
          ip: string | null;
          created_at: string;
          outcome: 'good' | 'bad' | null;
        }>;
      };
    };
  };
  /** Remove the outcomes that were reported for a wave */
  removeWaveOutcome: {
    path: {
      wave_id: string;
    };
    answer: undefined;
  };
  /** The webhooks of the environment, newest first */
  listWebhooks: {
    answer: {
      data: Array<{
        id: string;
        url: string;
        description: string | null;
        /** The event types that the webhook subscribes to */
        events: Array<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'>;
        /** `gate.decision` only for decisions of these gates; all when empty */
        gate_ids: Array<string>;
        /** `gate.decision` only for these actions; all when empty */
        actions: Array<'allow' | 'block' | 'challenge'>;
        /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
        format: 'standard' | 'usercheck';
        enabled: boolean;
        /** Why the service disabled the webhook */
        disabled_reason: string | null;
        /** No delivery has succeeded since this time */
        failing_since: string | null;
        /** Until this time the previous secret also signs deliveries */
        old_secret_valid_until: string | null;
        created_at: string;
        updated_at: string;
      }>;
    };
  };
  /** Create a webhook; only this response contains its secret */
  createWebhook: {
    body: {
      /** An https URL. Plain http and the service's own host require an origin in OUTBOUND_ALLOW */
      url: string;
      /** The event types that the webhook subscribes to */
      events: ReadonlyArray<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'>;
      description?: string | null | undefined;
      /** `gate.decision` only for decisions of these gates; all when empty */
      gate_ids?: ReadonlyArray<string> | undefined;
      /** `gate.decision` only for these actions; all when empty */
      actions?: ReadonlyArray<'allow' | 'block' | 'challenge'> | undefined;
      /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
      format?: 'standard' | 'usercheck' | undefined;
      enabled?: boolean | undefined;
      id?: unknown;
      disabled_reason?: unknown;
      failing_since?: unknown;
      old_secret_valid_until?: unknown;
      secret?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        url: string;
        description: string | null;
        /** The event types that the webhook subscribes to */
        events: Array<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'>;
        /** `gate.decision` only for decisions of these gates; all when empty */
        gate_ids: Array<string>;
        /** `gate.decision` only for these actions; all when empty */
        actions: Array<'allow' | 'block' | 'challenge'>;
        /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
        format: 'standard' | 'usercheck';
        enabled: boolean;
        /** Why the service disabled the webhook */
        disabled_reason: string | null;
        /** No delivery has succeeded since this time */
        failing_since: string | null;
        /** Until this time the previous secret also signs deliveries */
        old_secret_valid_until: string | null;
        created_at: string;
        updated_at: string;
        /** Shown only in this response */
        secret: string;
      };
    };
  };
  /** A webhook */
  readWebhook: {
    path: {
      webhook_id: string;
    };
    answer: {
      data: {
        id: string;
        url: string;
        description: string | null;
        /** The event types that the webhook subscribes to */
        events: Array<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'>;
        /** `gate.decision` only for decisions of these gates; all when empty */
        gate_ids: Array<string>;
        /** `gate.decision` only for these actions; all when empty */
        actions: Array<'allow' | 'block' | 'challenge'>;
        /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
        format: 'standard' | 'usercheck';
        enabled: boolean;
        /** Why the service disabled the webhook */
        disabled_reason: string | null;
        /** No delivery has succeeded since this time */
        failing_since: string | null;
        /** Until this time the previous secret also signs deliveries */
        old_secret_valid_until: string | null;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** Change a webhook; enabling it sends its pending deliveries */
  changeWebhook: {
    path: {
      webhook_id: string;
    };
    body: {
      /** An https URL. Plain http and the service's own host require an origin in OUTBOUND_ALLOW */
      url?: string | undefined;
      description?: string | null | undefined;
      /** The event types that the webhook subscribes to */
      events?: ReadonlyArray<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'> | undefined;
      /** `gate.decision` only for decisions of these gates; all when empty */
      gate_ids?: ReadonlyArray<string> | undefined;
      /** `gate.decision` only for these actions; all when empty */
      actions?: ReadonlyArray<'allow' | 'block' | 'challenge'> | undefined;
      /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
      format?: 'standard' | 'usercheck' | undefined;
      enabled?: boolean | undefined;
      id?: unknown;
      disabled_reason?: unknown;
      failing_since?: unknown;
      old_secret_valid_until?: unknown;
      secret?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
    };
    answer: {
      data: {
        id: string;
        url: string;
        description: string | null;
        /** The event types that the webhook subscribes to */
        events: Array<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'>;
        /** `gate.decision` only for decisions of these gates; all when empty */
        gate_ids: Array<string>;
        /** `gate.decision` only for these actions; all when empty */
        actions: Array<'allow' | 'block' | 'challenge'>;
        /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
        format: 'standard' | 'usercheck';
        enabled: boolean;
        /** Why the service disabled the webhook */
        disabled_reason: string | null;
        /** No delivery has succeeded since this time */
        failing_since: string | null;
        /** Until this time the previous secret also signs deliveries */
        old_secret_valid_until: string | null;
        created_at: string;
        updated_at: string;
      };
    };
  };
  /** Remove a webhook and its deliveries */
  removeWebhook: {
    path: {
      webhook_id: string;
    };
    answer: undefined;
  };
  /** Rotate a webhook's secret; only this response contains the new one */
  rotateWebhookSecret: {
    path: {
      webhook_id: string;
    };
    answer: {
      data: {
        id: string;
        url: string;
        description: string | null;
        /** The event types that the webhook subscribes to */
        events: Array<'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam' | 'credits.threshold' | 'gate.decision' | 'traffic.wave.began' | 'traffic.wave.ended'>;
        /** `gate.decision` only for decisions of these gates; all when empty */
        gate_ids: Array<string>;
        /** `gate.decision` only for these actions; all when empty */
        actions: Array<'allow' | 'block' | 'challenge'>;
        /** `standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck */
        format: 'standard' | 'usercheck';
        enabled: boolean;
        /** Why the service disabled the webhook */
        disabled_reason: string | null;
        /** No delivery has succeeded since this time */
        failing_since: string | null;
        /** Until this time the previous secret also signs deliveries */
        old_secret_valid_until: string | null;
        created_at: string;
        updated_at: string;
        /** Shown only in this response */
        secret: string;
      };
    };
  };
  /** The deliveries of the last 30 days, newest first */
  listDeliveries: {
    path: {
      webhook_id: string;
    };
    query: {
      limit?: number | undefined;
      /** meta.next_cursor of the previous page */
      cursor?: string | undefined;
    };
    answer: {
      data: Array<{
        id: string;
        /** The same for every webhook that receives the event and for every attempt; a batch of decisions gets it with its first attempt */
        event_id: string;
        /** The event type; `webhook.test` for a test event */
        event: string;
        /** The event data; null if it is longer than 4,000 characters */
        data: Record<string, unknown> | null;
        state: 'waiting' | 'delivered' | 'failed';
        attempts: number;
        /** Only while a retry is pending */
        next_attempt_at: string | null;
        /** Time of the last attempt */
        attempted_at: string | null;
        duration_ms: number | null;
        response_status: number | null;
        /** The first 1,000 characters */
        response_body: string | null;
        /** Why the last attempt failed */
        error: string | null;
        created_at: string;
      }>;
      meta: {
        next_cursor: string | null;
      };
    };
  };
  /** Retry a delivery immediately */
  retryDelivery: {
    path: {
      webhook_id: string;
      delivery_id: string;
    };
    answer: {
      data: {
        id: string;
        /** The same for every webhook that receives the event and for every attempt; a batch of decisions gets it with its first attempt */
        event_id: string;
        /** The event type; `webhook.test` for a test event */
        event: string;
        /** The event data; null if it is longer than 4,000 characters */
        data: Record<string, unknown> | null;
        state: 'waiting' | 'delivered' | 'failed';
        attempts: number;
        /** Only while a retry is pending */
        next_attempt_at: string | null;
        /** Time of the last attempt */
        attempted_at: string | null;
        duration_ms: number | null;
        response_status: number | null;
        /** The first 1,000 characters */
        response_body: string | null;
        /** Why the last attempt failed */
        error: string | null;
        created_at: string;
      };
    };
  };
  /** Send a test event */
  testWebhook: {
    path: {
      webhook_id: string;
    };
    answer: {
      data: {
        id: string;
        /** The same for every webhook that receives the event and for every attempt; a batch of decisions gets it with its first attempt */
        event_id: string;
        /** The event type; `webhook.test` for a test event */
        event: string;
        /** The event data; null if it is longer than 4,000 characters */
        data: Record<string, unknown> | null;
        state: 'waiting' | 'delivered' | 'failed';
        attempts: number;
        /** Only while a retry is pending */
        next_attempt_at: string | null;
        /** Time of the last attempt */
        attempted_at: string | null;
        duration_ms: number | null;
        response_status: number | null;
        /** The first 1,000 characters */
        response_body: string | null;
        /** Why the last attempt failed */
        error: string | null;
        created_at: string;
      };
    };
  };
}

/** How to call each operation, and which parts its response must have; null: it has no body. */
export const operations = {
  getStatus: { method: 'GET', path: '/status', needs: ['account', 'usage'] },
  lookupDomain: { method: 'GET', path: '/domain/{domain}', needs: ['mx_providers'] },
  lookupEmail: { method: 'GET', path: '/email/{email}', needs: ['mx_providers'] },
  readHint: { method: 'POST', path: '/v1/hints', needs: [] },
  listBlocklist: { method: 'GET', path: '/blocklist', needs: ['data', 'links', 'meta'] },
  addToBlocklist: { method: 'POST', path: '/blocklist', needs: ['data'] },
  addManyToBlocklist: { method: 'POST', path: '/blocklist/bulk', needs: ['success', 'errors'] },
  getFromBlocklist: { method: 'GET', path: '/blocklist/{domain}', needs: ['data'] },
  removeFromBlocklist: { method: 'DELETE', path: '/blocklist/{domain}', needs: [] },
  listCustomLists: { method: 'GET', path: '/v1/lists', needs: ['data'] },
  createCustomList: { method: 'POST', path: '/v1/lists', needs: ['data'] },
  readCustomList: { method: 'GET', path: '/v1/lists/{list_id}', needs: ['data'] },
  changeCustomList: { method: 'PATCH', path: '/v1/lists/{list_id}', needs: ['data'] },
  removeCustomList: { method: 'DELETE', path: '/v1/lists/{list_id}', needs: null },
  listCustomListEntries: { method: 'GET', path: '/v1/lists/{list_id}/entries', needs: ['data', 'meta'] },
  addToCustomList: { method: 'POST', path: '/v1/lists/{list_id}/entries', needs: ['data'] },
  removeFromCustomList: { method: 'DELETE', path: '/v1/lists/{list_id}/entries', needs: ['data'] },
  listGates: { method: 'GET', path: '/v1/gates', needs: ['data', 'meta'] },
  createGate: { method: 'POST', path: '/v1/gates', needs: ['data'] },
  readGate: { method: 'GET', path: '/v1/gates/{gate_id}', needs: ['data'] },
  changeGate: { method: 'PATCH', path: '/v1/gates/{gate_id}', needs: ['data'] },
  removeGate: { method: 'DELETE', path: '/v1/gates/{gate_id}', needs: null },
  listFields: { method: 'GET', path: '/v1/fields', needs: ['data', 'operators'] },
  listRules: { method: 'GET', path: '/v1/gates/{gate_id}/rules', needs: ['data'] },
  addRule: { method: 'POST', path: '/v1/gates/{gate_id}/rules', needs: ['data'] },
  replaceRules: { method: 'PUT', path: '/v1/gates/{gate_id}/rules', needs: ['data'] },
  orderRules: { method: 'PUT', path: '/v1/gates/{gate_id}/rules/order', needs: ['data'] },
  readRule: { method: 'GET', path: '/v1/gates/{gate_id}/rules/{rule_id}', needs: ['data'] },
  changeRule: { method: 'PATCH', path: '/v1/gates/{gate_id}/rules/{rule_id}', needs: ['data'] },
  removeRule: { method: 'DELETE', path: '/v1/gates/{gate_id}/rules/{rule_id}', needs: null },
  listRevisions: { method: 'GET', path: '/v1/gates/{gate_id}/revisions', needs: ['data', 'meta'] },
  readRevision: { method: 'GET', path: '/v1/gates/{gate_id}/revisions/{revision}', needs: ['data'] },
  restoreRevision: { method: 'POST', path: '/v1/gates/{gate_id}/revisions/{revision}/restore', needs: ['data'] },
  decide: { method: 'POST', path: '/v1/gates/{gate_id}/decisions', needs: ['input', 'decision', 'signals', 'meta'] },
  listDecisions: { method: 'GET', path: '/v1/gates/{gate_id}/decisions', needs: ['data', 'meta'] },
  decideV0: { method: 'POST', path: '/v0/gates/{gate_id}/decisions', needs: ['input', 'decision', 'signals', 'meta'] },
  readDecision: { method: 'GET', path: '/v1/gates/{gate_id}/decisions/{decision_id}', needs: ['data'] },
  setOutcome: { method: 'PUT', path: '/v1/gates/{gate_id}/decisions/{decision_id}/outcome', needs: ['data'] },
  removeOutcome: { method: 'DELETE', path: '/v1/gates/{gate_id}/decisions/{decision_id}/outcome', needs: null },
  reportOutcomes: { method: 'POST', path: '/v1/outcomes', needs: ['data'] },
  suggestRules: { method: 'POST', path: '/v1/gates/{gate_id}/suggestions', needs: ['data'] },
  readStats: { method: 'GET', path: '/v1/gates/{gate_id}/stats', needs: ['data'] },
  backtest: { method: 'POST', path: '/v1/gates/{gate_id}/backtest', needs: ['data'] },
  searchDecisions: { method: 'GET', path: '/v1/decisions', needs: ['data', 'meta'] },
  trace: { method: 'POST', path: '/v1/gates/{gate_id}/trace', needs: ['data'] },
  findExceptions: { method: 'GET', path: '/v1/gates/{gate_id}/decisions/{decision_id}/exceptions', needs: ['data'] },
  listHooks: { method: 'GET', path: '/v1/hooks', needs: ['data'] },
  createHook: { method: 'POST', path: '/v1/hooks', needs: ['data'] },
  readHook: { method: 'GET', path: '/v1/hooks/{hook_id}', needs: ['data'] },
  changeHook: { method: 'PATCH', path: '/v1/hooks/{hook_id}', needs: ['data'] },
  removeHook: { method: 'DELETE', path: '/v1/hooks/{hook_id}', needs: null },
  rotateHookSecret: { method: 'POST', path: '/v1/hooks/{hook_id}/secret', needs: ['data'] },
  testHook: { method: 'POST', path: '/v1/hooks/{hook_id}/test', needs: ['data'] },
  listWaves: { method: 'GET', path: '/v1/waves', needs: ['data', 'meta'] },
  readWaveSettings: { method: 'GET', path: '/v1/waves/settings', needs: ['data'] },
  changeWaveSettings: { method: 'PATCH', path: '/v1/waves/settings', needs: ['data'] },
  readWave: { method: 'GET', path: '/v1/waves/{wave_id}', needs: ['data'] },
  judgeWave: { method: 'PATCH', path: '/v1/waves/{wave_id}', needs: ['data'] },
  acceptWaveRule: { method: 'POST', path: '/v1/waves/{wave_id}/rule', needs: ['data'] },
  reportWaveOutcome: { method: 'PUT', path: '/v1/waves/{wave_id}/outcome', needs: ['data'] },
  removeWaveOutcome: { method: 'DELETE', path: '/v1/waves/{wave_id}/outcome', needs: null },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', needs: ['data'] },
  createWebhook: { method: 'POST', path: '/v1/webhooks', needs: ['data'] },
  readWebhook: { method: 'GET', path: '/v1/webhooks/{webhook_id}', needs: ['data'] },
  changeWebhook: { method: 'PATCH', path: '/v1/webhooks/{webhook_id}', needs: ['data'] },
  removeWebhook: { method: 'DELETE', path: '/v1/webhooks/{webhook_id}', needs: null },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{webhook_id}/rotate-secret', needs: ['data'] },
  listDeliveries: { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', needs: ['data', 'meta'] },
  retryDelivery: { method: 'POST', path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', needs: ['data'] },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{webhook_id}/test', needs: ['data'] },
} as const;

/** The code that each text stands for where an error carries no code; a 0 is any number. */
export const errorCodes: Readonly<Record<string, string>> = {
  "Unauthorized": 'unauthorized',
  "Server error": 'server_error',
  "Service unavailable": 'service_unavailable',
  "The domain is invalid.": 'invalid_domain',
  "The email address is invalid.": 'invalid_email',
  "API key is required": 'unauthorized',
  "Invalid API key": 'unauthorized',
  "This feature requires a Pro account": 'pro_only',
  "The body is too large: at most 0 bytes (0 MB) are accepted.": 'payload_too_large',
  "Domain not found in blocklist": 'domain_not_listed',
  "The domain has already been blocklisted for this environment.": 'already_blocklisted',
  "The blocklist is full: this plan allows at most 0 domains.": 'blocklist_full',
};
