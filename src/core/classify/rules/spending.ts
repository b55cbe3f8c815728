/**
 * Money and plans: what no waiting cures. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const SPENDING: readonly Rule[] = [
  {
    id: "credit-too-low",
    kind: "billing",
    level: "verdict",
    confidence: 0.97,
    words: ["402", "active", "allotment", "arrears", "balance", "billing", "budget", "credit", "credits", "deactivated", "delinquent", "disabled", "enable", "exceeded", "free", "funds", "hard", "included", "insufficient", "limits", "maximum", "monthly", "paid", "past", "payment", "plan", "prepaid", "purchase", "reached", "requires", "spend", "spending", "subscription", "suspended", "upgrade", "usage"],
    pattern:
      /\bcredit balance (?:is )?too low|\b(?:insufficient|not enough|no|out of|low on|ran out of|zero|exhausted|negative|used up|used all) (?:\w{1,20} )?(?:credits?|balance|funds)\b|\b(?:credits?|balance|funds) (?:\w{1,12} ){0,4}(?:exhausted|insufficient|depleted|too low|used up|run out|not enough|negative)\b|\bexceeded your current quota, please check your plan and billing|\binsufficient[_ ]quota\b|\b[Pp]ayment (?:is )?(?:required|failed|declined|overdue|method (?:is )?(?:required|missing|declined))\b|\b[Bb]illing (?:account )?(?:is )?(?:not (?:active|enabled|configured|set up)|disabled|error|inactive|hard limit|limit (?:has been )?reached|details|issue|required|has not been|must be)\b|\bbilling_\w{1,40}\b|\benable billing\b|\brequires billing\b|\b(?:spending|spend|budget|monthly|usage) (?:limit|cap|budget)s? (?:has been |was |is )?(?:reached|exceeded|hit)\b(?=.{0,80}(?:billing|spend|budget|credit|upgrade|plan|\$))|\b(?:spending|spend|budget) (?:limit|cap) (?:of .{1,20} )?(?:has been |was |is |been )?(?:reached|exceeded|hit)\b|\bBudgetExceeded(?:Error|Exception)?\b|\b[Bb]udget (?:has been )?exceeded\b|\bExceeded (?:your )?budget\b|\bexceeded (?:your |the )?(?:monthly |maximum )?(?:budget|spend|spending|included credits|credit limit)|\bhard limit (?:has been )?reached\b|\byou(?:'ve| have) (?:reached|exceeded) your (?:specified API usage limits|spending|monthly included credits|credit)|\bspecified API usage limits\b|\b(?:purchase|buy|add|top up|recharge) (?:more |additional |some )?(?:credits?|funds|your balance)\b|\bsubscription (?:has |is |was )?(?:expired|inactive|cancell?ed|required|not active|past due)\b|\bno active subscription\b|\b(?:account|organization|project|plan) (?:is |has been |was )?(?:suspended|deactivated|disabled|not active|past due|delinquent|in arrears)\b.{0,80}(?:billing|payment|balance|invoice|unpaid)|\bQuota exceeded\. Check your plan and billing|\bprepaid (?:credits|balance)|\bcheck your plan and billing\b|\bquota or usage allotment has run out|\bfree (?:tier|trial|credits|quota|usage|plan) (?:\w{1,12} ){0,3}(?:exhausted|ended|expired|exceeded|over|used up)\b|\busage credits\b.{0,30}(?:exhausted|required)|\b(?:requires|need(?:s)?) (?:an? )?(?:active |paid )(?:subscription|plan)\b|\bMax budget\b|\bReached maximum budget|\bupgrade or purchase credits|\bnot included in your (?:plan|subscription)\b|\b402 Payment|\bupgrade to (?:Plus|Pro|Max|Team|Business|Enterprise|a paid)\b(?!.{0,80}\btry again)/i,
    except:
      /\b(?:tokens|requests) per (?:min|day|hour)|\bTPM\b|\bRPM\b|\bTPD\b|\brate[ _]limit reached for\b|\brate limits?:|\bhit your (?:usage|session|weekly|daily|5-hour|\w{1,10}) ?limit|\busage limit\b.{0,80}\btry again/i,
    example: "Your credit balance is too low to use this service.",
    nearMiss: "the left side of the cart hangs too low",
  },
];
