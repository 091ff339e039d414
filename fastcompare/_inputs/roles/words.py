"""The words in the names of columns, by the role that they suggest.

A name decides only between columns that are alike in their values: no list is ever long enough.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from ..names import DISPERSIONS, LIMITS, RIGHT, are_losses

UPPER, LOWER = "[A-ZÀ-Þ]", "[a-zß-ÿ\u0100-\u024f]"
MARK = re.compile(r"[^\w@]|_")  # between the words of a name
PARTS = re.compile(rf"{UPPER}+(?={UPPER}{LOWER})|{UPPER}?{LOWER}+|{UPPER}+|\d+")
INDEX = re.compile(r"|Unnamed: ?\d+|__index_level_\d+__|\.\.\.1|V1_", re.I)

WORDS = {
    "truth": """
        y true truth label labels target targets gold golden actual actuals groundtruth gt ytrue
        ytest observed realized realised referenz annotation annotated reference ref ground class
        outcome response klasse ziel zielvariable zielgrösse zielgröße etikett verité cible clase
        etiqueta""",
    "clear": """
        y true truth label labels target targets gold golden actual groundtruth gt ytrue ytest
        ground reference references observed obs measured realized realised wahrheit istwert ist
        tatsächlich tatsaechlich gemessen beobachtet vérité mesuré mesurée observé observée réel
        réelle verdad medido observado verità misurato osservato verdade gabarito
        waarheid gemeten rzeczywista rzeczywisty rzeczywiste skutečnost skutočnosť""",
    "agreed": "consensus panel adjudicated adjudication konsens consenso konsensus",
    "outcome": """
        diagnosis diagnosed diagnose disease diseased ill sick case cases status event positive
        malignant malignancy cancer tumor tumour carcinoma metastasis metastatic sepsis septic
        infection infected stroke fracture pneumonia covid diabetes diabetic depressed depression
        depressive dementia alzheimer autism adhd anxiety ptsd psychosis suicide suicidal icu
        mortality death dead died deceased survived survival relapse relapsed recurrence recurred
        recovered progression progressed remission responder responded cured complication
        readmitted readmission admission admitted hospitalized hospitalised ventilated transfusion
        bleed bleeding lesion abnormal pathology pathologic finding biopsy histology preterm
        istologia istologico histologie histología histologia biopsie biopsia
        delirium aki mi ami chd cvd hypertension preeclampsia asthma copd tuberculosis tb hiv
        churn churned clicked click purchased purchase bought converted conversion subscribed
        subscription cancelled canceled returned renewed default defaulted delinquent fraud
        fraudulent spam ham phishing toxic toxicity hate hateful offensive sarcasm sarcastic
        sentiment polarity stance entailment entails paraphrase duplicate relevant relevance liked
        like watched played skipped rated engaged retained passed failed fail success successful
        win won correct wrong anomaly anomalous outlier intrusion attack attacked malware faulty
        fault defect defective broken failure approved accepted hired dropout graduated verdict
        standard criterion category y1 outcome1 endpoint present presence absent detected
        condition affected exposed symptomatic impaired impairment fallecido fallecida muerte
        deceduto decesso morte óbito obito décédé décès verstorben todesfall mortalidad mortalità
        mortalité""",
    "reference": "pcr culture cultivo kultur coltura cultura autopsy necropsy",  # methods
    "prediction": """
        pred preds predicted prediction predictions yhat hat prob probs proba probability
        probabilities score scores logit logits p conf confidence output outputs decision risk
        rating estimate estimated forecast guess answer predict yproba ypred yscore phred""",
    "id": """
        id ids uid uuid guid key index idx row rownumber no nr num number case record name file
        filename path image img accession sample example instance item question prompt obs
        observation entry hash code identifier url doc document study exam qid sid cid rid nummer
        fall fallnummer kennung schlüssel datei numéro numero dossier fichier expediente""",
    "unit": """
        patient patients pat pid subject subjects subj participant participants ppt person people
        user users uid customer client member account animal mouse mice rat dog speaker author
        writer annotator passage passages document documents doc docs article articles story
        essay paragraph session sessions household family cluster clusters group groups hospital
        site sites center centre clinic ward practice school teacher classroom player team query
        queries topic topics scene video clip movie conversation dialog dialogue thread cohort
        batch mrn proband donor specimen slide scan series volume image images eye device machine
        respondent respondents
        station plant farm field plot species city region country company firm vendor seller
        store shop reviewer rater judge judges grader evaluator assessor source page website host
        book chapter trip ride driver vehicle ticket order template seedling litter twin pair
        stimulus encounter encounters""",
    "fold": """
        fold folds split splits cv kfold round rounds repeat repeats rep reps repetition
        repetitions iteration iterations iter run runs seed seeds trial trials partition
        replicate replicates replication replications resample bootstrap""",
    "time": """
        time times day days month months year years week weeks hour hours aval follow
        duration lifetime tenure exposure zeit dauer tage tagen woche wochen monat monate
        monaten jahr jahre jahren délai delai durée duree jours semaines mois années annees
        días dias semanas meses años anos giorni settimane mesi anni durata duração""",
    "survival": """
        os pfs dfs efs rfs ttp ttd tte survtime futime fu survival followup überleben
        ueberleben überlebenszeit ueberlebenszeit überlebensdauer gesamtüberleben nachbeobachtung
        nachbeobachtungszeit beobachtungszeit beobachtungsdauer survie suivi supervivencia
        seguimiento sopravvivenza sobrevida sobrevivência seguimento""",
    "beside_survival": """
        up overall free specific disease cancer gesamt global globale sans de di du da des la in
        of to until from since last bis d m mo mos mths y yr yrs tempo temps tiempo""",
    "no_survival": "age alter âge edad leeftijd età idade los stay verweildauer birth",
    "time_of_event": "t tevent surv fup ftime tstop stop lenfol lenfu",  # whole names
    "event": """
        event events status death dead died deceased censor censored censoring uncensored relapse
        relapsed recurrence recurred progression progressed failure failed fail fustat delta
        exitus vital endpoint churn churned cens cnsr observed verstorben gestorben tod todesfall
        ereignis rezidiv rückfall progress décès deces décédé decede mort évènement événement
        evenement rechute récidive muerte fallecido fallecida fallecimiento evento recaída recaida
        decesso deceduto morte recidiva óbito obito overleden""",
    "censoring": "censor censors censored censoring cens cnsr",
    "person": """
        patient patients pat pid subj participant participants ppt person people user users
        customer client member animal mouse mice rat dog speaker author writer student pupil
        child mrn proband donor volunteer family household pair twin respondent respondents""",
    "rater": """
        rater raters reader readers annotator annotators judge judges reviewer reviewers grader
        graders expert experts experte experten experto expertos coder coders observer observers
        radiologist radiologists pathologist pathologists dermatologist physician doctor clinician
        listener listeners""",
    "site": "modality treatment technique system test condition arm method device mode setting",
    "rank": "rank ranks ranking rang position",
    "step": "step steps epoch epochs",
    "weight": "weight weights wt wts wgt sampleweight",
    "model": """
        model models method methods algorithm algorithms algo classifier classifiers clf learner
        learners estimator estimators system systems approach approaches network net architecture
        arch engine llm llms candidate pipeline recommender tool technique variant modelo modell
        verfahren agent scheme schemes submission team flow experiment config configuration setting
        strategy wflow workflow framework alg optimizer optimiser caller callers""",
    "setting": "temperature temperatur température temperatura temp topp shots shot nshot nshots",
    "dataset": """
        dataset datasets data task tasks benchmark benchmarks bench corpus corpora problem problems
        domain domains collection suite env environment game games language lang languages
        datensatz datensätze ds uci testset database db subset instance_set""",
    "item": """
        question questions item items prompt prompts example examples case cases sentence
        utterance query queries qid topic segment seg""",
    "set": """
        set sets subset subsets prompt prompts task tasks topic topics theme themes domain domains
        block blocks batch batches wave waves session sessions section stratum strata""",
    "human": "human humans manual consensus adjudicated resolved mensch humain humano",
    "measure": """
        age alter âge edad età idade leeftijd gewicht poids peso größe groesse taille talla amount
        betrag montant importe date datum fecha datetime timestamp size length len height bmi width
        n count support year price latency fit epoch step rank order position version temperature
        attributes features instances classes dimensions tokens runtime seconds sec secs ms params
        parameters nrecs nitems nobs difficulty flops gflops macs throughput fps vram energy""",
    "amount": """
        amt amts bal balance income salary wage wages earnings revenue debt dti ltv charges fare
        los stay hrs mins yrs einkommen gehalt kreditbetrag verweildauer liegedauer revenu salaire
        solde séjour ingresos ingreso salario saldo monto estancia reddito stipendio importo
        degenza renda salário montante internação mensal mensual mensile mensuel monatlich""",
    "frequency": """
        count counts freq freqs frequency frequencies n anzahl häufigkeit haeufigkeit häufigkeiten
        effectif effectifs fréquence fréquences frecuencia frecuencias conteo recuento frequenza
        frequenze conteggio numerosità frequência frequências contagem quantidade cantidad""",
    "counted": """
        patients cases subjects persons people participants observations samples patienten fälle
        faelle personen probanden cas sujets personnes pacientes casos sujetos personas pazienti
        casi soggetti sujeitos pessoas""",
    "number": "number no nr num nb nbr nombre número numero of de di der von",
    "trait": """
        sex gender male female race ethnicity smoker smoking smoked treated treatment treat arm
        drug sexe geschlecht married ethnic insured urban rural weekend train test""",
    "stratum": """
        sex gender sexe sexo sesso geschlecht género genero gênero genre race ethnicity ethnic
        ethnie scanner vendor manufacturer hersteller fabricant fabricante gerät site center centre
        zentrum centro hospital klinik clinic side laterality seite lato côté lado eye auge ojo
        olho occhio zone lobe quadrant hemisphere hand handedness cohort batch""",
    "metric": """
        acc accuracy auc auroc roc f1 precision recall score scores error err loss rmse mse mae
        bleu rouge ndcg map mrr perplexity value metric mean correct result results performance
        kappa mcc brier logloss r2 hit em exact far sens spec sensitivity specificity ppv npv
        dice dsc iou miou jaccard hd hd95 asd assd nsd psnr ssim lpips rouge1 rouge2 rougel
        rougelsum bleu1 bleu2 bleu3 bleu4 meteor chrf ter wer cer bertscore latency
        fluency correctness coherence relevance faithfulness helpfulness harmlessness adequacy
        consistency completeness groundedness""",
    "size": """
        n d p k m q c dim dims dimension dimensions attr attrs att atts attribute attributes
        feat feats feature features var vars variable variables inst insts instance instances
        case cases example examples sample samples row rows col cols column columns size sizes
        length lengths cls class classes label labels target targets channel channels train test
        num number nr no of count anzahl klasse klassen merkmal merkmale attribut variablen
        instanz instanzen fälle beispiele spalten zeilen nombre attributs classe variables
        exemples número numero atributo atributos clase clases ejemplos instancias casos
        attributo attributi classi istanze casi esempi variabili exemplos instâncias variáveis""",
}
PARTS_OF_MODELS = {"framework", "optimizer", "optimiser", "wflow", "workflow"}  # models if alone
HYPERPARAMETERS = {"lr", "learning", "dropout", "momentum", "wd", "decay", "batchsize"}
SEXES = """
    m/f m/w h/f h/m m/v male/female man/woman men/women boy/girl männlich/weiblich mann/frau
    homme/femme masculin/féminin hombre/mujer masculino/femenino masculino/feminino homem/mulher
    maschio/femmina uomo/donna man/vrouw"""  # values, in one language
SIDES = "l/r left/right links/rechts gauche/droite od/os"
PAIRS = {
    role: [frozenset(pair.split("/")) for pair in pairs.split()]
    for role, pairs in (("sexes", SEXES), ("sides", SIDES))
}
ROLES = {role: frozenset(text.split()) for role, text in WORDS.items()}
ROLES["time"] |= ROLES["survival"]  # OS_months is a time, too
PROBABILITIES = {"prob", "probs", "proba", "probability", "probabilities"}
ANSWERS = {"answer", "answers"}
OF_TRUE_ANSWERS = {"correct", "right", "gold", "golden", "true", "key", "expected", "reference"}
ERRORS = {"error", "errors", "err", "errs", "residual", "residuals", "resid", "resids", "res"}
ERRORS |= {"ae", "se", "sqerr", "abserr", "ape", "mistake", "deviation", "fehler", "abweichung"}
ERRORS |= {"residuum", "residuen", "erreur", "erreurs", "résidu", "résidus", "residu", "écart"}
ERRORS |= {"residuo", "residuos", "residui", "errore", "errori", "scarto", "erro"}
ERRORS |= {"resíduo", "resíduos", "desvío", "desvio", "scostamento"}
ERROR_COUNTS = {"tp", "fp", "fn", "tn"}
COUNTS = ERROR_COUNTS | {"n", "p", "pvalue", "support"}  # of errors, and of tests
RATINGS = {"elo", "rating", "ratings", "arena", "votes", "strength"}  # of battles
RATINGS |= {"wins", "losses", "ties", "draws", "won", "lost", "winrate", "played"}
BESIDE_METRICS = DISPERSIONS | LIMITS | COUNTS  # in a table of metrics
SUMMARIES = BESIDE_METRICS | RATINGS
AT_K = re.compile(r"(pass|hits?|recall|precision|ndcg|map|mrr|acc|top)[\W_]*(at)?[\W_]*\d+", re.I)
REFERENCES = {"ref", "refs", "reference", "references", "total"}
LENGTHS = {"word", "words", "len", "length", "lengths", "token", "tokens", "char", "chars", "n"}
TRIALS = {"n", "samples", "attempts", "trials", "generations", "completions", "tries"}
TRIALS |= {"total", "max", "maximum", "possible"}
MOST = {"max", "maximum", "total"}  # alone, a model may be called so
BESIDE_TRIALS = {"num", "number", "of", "no", "nr", "score", "scores", "points", "marks"}
SUCCESSES = {"c", "correct", "right", "passed", "pass", "passes", "success", "successes", "solved"}
SUCCESSES |= {"hit", "hits", "resolved", "correctly"}
COUNT_WORDS = {"n", "num", "number", "count", "total", "of"}  # n_questions
COUNTABLE = {"questions", "items", "examples", "problems", "prompts", "instances", "tasks"}
COUNTABLE |= {"queries", "cases", "sentences", "images", "tests", "samples"}
NAME_WITH_TIME = re.compile(r"(?:.*[\W_])?([A-Za-z]+)Time")  # InceptionTime
MEASURED_TIMES = {"fit", "train", "training", "test", "run", "running", "score", "predict", "wall"}
MEASURED_TIMES |= {"prediction", "inference", "response", "reaction", "elapsed", "cpu", "gpu"}
MEASURED_TIMES |= {"total", "mean", "average", "start", "end"}
BESIDE_FOLD = ROLES["fold"] | {"", "inner", "outer", "random", "nested", "cross", "train", "test"}
BESIDE_FOLD |= {"stratified", "strat", "group", "grouped", "data", "k"}
NOUNS_AFTER_NO = {"ai", "cad", "aid", "contrast", "cot", "rag", "tool", "tools", "prior", "help"}
POSITIVE_WORDS = """
    yes y true t 1 positive pos + case ill sick diseased disease malignant abnormal present
    dead died deceased event spam fraud fraudulent toxic churned churn relapse relapsed
    progression progressed responder responded defaulted default infected cancer tumor tumour
    metastasis metastatic clicked click purchased bought converted hate hateful offensive
    phishing attack anomaly anomalous defect defective faulty broken readmitted recurrence
    recurred sepsis septic pathological pathologic impaired pregnant relevant duplicate
    entailment paraphrase sarcastic hypertensive diabetic depressed suicidal exposed detected
    positiv ja oui si sí sim sick affected krank malware malicious failed won like liked
    unsafe harmful unstable
    positivo positiva positif malade malin maligno maligna enfermo enferma muerto fallecido vrai
    verdadero pathologisch auffällig malig bösartig verstorben tot erkrankt positief wahr
    doente óbito morto"""
NEGATIVE_WORDS = """
    no n false f 0 negative neg - control controls ctrl ctrls kontrolle kontrollen témoin temoin
    controllo controlli controles healthy well benign normal absent alive living
    survived survivor none ham legit legitimate genuine nontoxic clean stayed retained
    censored stable uninfected irrelevant unaffected unexposed undetected intact ok nein non
    não gesund healthy_control hc not absence neither nothing uneventful remission-free
    unremarkable safe harmless inactive
    benig bénig negativo negativa négatif bénin benigno benigna sano sana vivo viva
    faux negativ unauffällig gutartig lebend lebt falsch sain negatief nee saudável good_outcome"""
POSITIVE, NEGATIVE = frozenset(POSITIVE_WORDS.split()), frozenset(NEGATIVE_WORDS.split())
CODE = re.compile(r"^\d+ ?[:=] ?")  # before a word, as in 1:DECEASED
STEMS = ("malig", "benig", "bénig")  # of many languages
DENIALS = ("no ", "no_", "no-", "non-", "non ", "non_", "not ", "not_", "not-", "non")
PREFIXES = ("un", "in")  # deny a word, too, but as often in what is looked for: unsafe, invalid
LETTERS = {("y", "n"), ("t", "f"), ("p", "n"), ("j", "n"), ("s", "n"), ("o", "n")}  # of yes and no
AXES = {"x": "y", "xcoord": "ycoord", "lon": "lat", "long": "lat", "lng": "lat"}  # of a map
AXES |= {"longitude": "latitude", "longitud": "latitud", "easting": "northing", "east": "north"}
AXES |= {"rechtswert": "hochwert"}
BESIDE_AXES = {
    "utm",
    "wgs",
    "epsg",
    "lv",
    "gk",
    "lambert",
    "point",
    "coord",
    "coords",
    "coordinate",
}
BESIDE_AXES |= {"coordinates", "gps", "geo", "centroid", "decimal", "degrees", "deg", "dd", "m"}
BESIDE_ATTRIBUTES = {"is", "has", "patient", "baseline", "status", "flag", "ever", "current"}
BESIDE_STRATA = {"patient", "type", "code", "at", "birth", "id", "m", "f", "male", "female"}
SHORTEST_STEM = 6  # letters of a word that longer ones begin with
ROLES_OF_IDS = ("unit", "item", "id", "person")
ROLES_OF_SETS = ("set", "unit", "item", "dataset", "id")  # of cases: essay_set, task_id


@cache
def split_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: `YTrue_2` has y, true and 2."""
    return tuple(part.lower() for part in PARTS.findall(name))


@cache
def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, those with digits, and all as one: ytrue and f1 of `YTrue_f1`."""
    parts = re.findall(r"[^\W_]+", name)
    numbered = (part.lower() for part in parts if re.search(r"\d", part))
    return words_and_joined(name).union(numbered)


@cache
def words_and_joined(name: str) -> frozenset[str]:
    """Return the words of a name, and all of them as one: `YTrue` has y, true and ytrue."""
    return frozenset({*split_words(name), "".join(split_words(name))})


@cache
def name_suggests(name: str, role: str) -> bool:
    """Return whether a word of a column's name is one of a role's words in `WORDS`.

    Of units and ids also a word that ends in id: docid. Of outcomes also a stem: readmit.
    """
    words = name_words(name)
    if role == "id" and not NOUNS_AFTER_NO.isdisjoint(split_words(name)):
        words = words - {"no"}  # a number elsewhere: case_no
    if role == "prediction" and "scored" in words and words & ROLES["clear"]:
        return True  # Scored Labels, of Azure
    if role in ROLES_OF_IDS and any(is_id_of(word, role) for word in words):
        return True
    if role == "outcome" and any(map(is_stem_of_outcome, words)):
        return True
    return bool(words & ROLES[role])


@cache
def names_sets(name: str) -> bool:
    """Return whether a name is that of sets of cases, such as essay_set, and of nothing else."""
    words = {*split_words(name)}
    of_sets = frozenset[str]().union(*(ROLES[role] for role in ROLES_OF_SETS))
    return bool(words & ROLES["set"]) and words <= of_sets


def is_run_of_model(name: str) -> bool:
    """Return whether a name is that of a numbered run of a model: gpt_run1, not outer_fold_1."""
    *model, kind, number = ("", "", *split_words(name))
    return kind in ROLES["fold"] and number.isdigit() and not {*model} <= BESIDE_FOLD


def is_stem_of_outcome(word: str) -> bool:
    """Return whether a word of outcomes begins with this one of six letters or more: readmit."""
    return len(word) >= SHORTEST_STEM and any(
        outcome.startswith(word) for outcome in ROLES["outcome"]
    )


def is_id_of(word: str, role: str) -> bool:
    """Return whether a word is one of a role's words followed by id or ids: docid."""
    return word.endswith(("id", "ids")) and word.removesuffix("s")[:-2] in ROLES[role]


@cache
def is_clear_truth(name: str) -> bool:
    """Return whether a name has a word of true labels, such as y, and none of predictions.

    So is the correct answer, or the answer key; the counts TRUTH.TP and TRUTH.FN are no labels.
    """
    words = {*split_words(name)}
    if words & ERROR_COUNTS:
        return False
    if words & ANSWERS and words & OF_TRUE_ANSWERS and words <= ANSWERS | OF_TRUE_ANSWERS:
        return True
    return name_suggests(name, "clear") and not name_suggests(name, "prediction")


@cache
def is_outcome(name: str) -> bool:
    """Return whether a name has a word of outcomes, such as died, and none of predictions."""
    named = name_suggests(name, "truth") or name_suggests(name, "outcome")
    return named and not name_suggests(name, "prediction")


@cache
def is_metric(name: str) -> bool:
    """Return whether all words of a name are of metrics, and none of predictions: mean_auc."""
    words = split_words(name)
    parts = [part.lower() for part in re.findall(r"[^\W_]+", name)]  # f1 and score of f1-score
    are_metrics = "".join(words) in ROLES["metric"] or any(
        ROLES["metric"].issuperset(x) for x in (words, parts)
    )
    return bool(words) and are_metrics and not name_suggests(name, "prediction")


def suggest_losses(metric: Sequence[str], models: Iterable[str]) -> bool:
    """Return whether the name of the metric is that of a loss; without one, all names of models."""
    words_of_metric = [" ".join(name_words(name)) for name in metric]  # error of ErrorRate
    return are_losses(words_of_metric or models)


def last_metric(name: str) -> str | None:
    """Return the metric that a name ends in, after a model: hd95 of unet_hd95; None if none."""
    ends = [name[match.end() :] for match in MARK.finditer(name)]
    return next(filter(is_metric_at_cutoff, ends), None)


def first_metric(name: str) -> str | None:
    """Return the metric that a name begins with, before a model: acc of acc_svm; None if none."""
    beginnings = [name[: match.start()] for match in MARK.finditer(name)]
    return next(filter(is_metric_at_cutoff, reversed(beginnings)), None)


def metric_in(name: str) -> str | None:
    """Return the metric in a name of both a model and a metric; None if none."""
    return last_metric(name) or first_metric(name)


def is_metric_at_cutoff(name: str) -> bool:
    """Return whether a name is that of a metric, perhaps of the first ranks: p@10."""
    is_precision = name.lower() in ("ap", "map")  # of objects in an image
    return is_metric(name) or is_precision or ("@" in name and MARK.search(name) is None)


@cache
def is_index(name: str) -> bool:
    """Return whether a name is what programs write above an index without a name: Unnamed: 0."""
    return INDEX.fullmatch(name) is not None


def suggests_summary(name: str) -> bool:
    """Return whether a word of a name is that of a metric, its error or interval, or a count."""
    of_summaries = words_and_joined(name) & SUMMARIES
    return name_suggests(name, "metric") or bool(of_summaries) or AT_K.fullmatch(name) is not None


def is_summary_name(name: str) -> bool:
    """Return whether all words of a name are of metrics, their errors, or counts: auc_sd, n."""
    if is_metric(name) or AT_K.fullmatch(name) is not None:
        return True
    parts = [part.lower() for part in re.findall(r"[^\W_]+", name)]
    return bool(parts) and SUMMARIES.union(ROLES["metric"]).issuperset(parts)


def is_of_trials(name: str) -> bool:
    """Return whether a name is that of a number of trials, or of the most points: n_samples."""
    words = {*split_words(name)}
    counted_things = words - COUNT_WORDS
    if words & COUNT_WORDS and counted_things and counted_things <= COUNTABLE:
        return True
    return bool(words & TRIALS) and words <= TRIALS | BESIDE_TRIALS


def may_be_time_series_model(name: str) -> bool:
    """Return whether a name ending in Time may be that of a time series model, InceptionTime.

    Not that of a measured time, runTime.
    """
    match = NAME_WITH_TIME.fullmatch(name)
    return match is not None and match[1].lower() not in MEASURED_TIMES


def is_measured_time(words: tuple[str, ...]) -> bool:
    """Return whether words of a name are of a measured time: fit_time_svm, time_per_example."""
    pairs = [*pairwise(words)]
    return any(b == "time" and a in MEASURED_TIMES for a, b in pairs) or ("time", "per") in pairs


def is_length(name: str) -> bool:
    """Return whether a name is that of the lengths of reference texts: n_ref_words."""
    return bool({*split_words(name)} & REFERENCES and {*split_words(name)} & LENGTHS)


def is_attribute(name: str) -> bool:
    """Return whether a name is that of an attribute of cases, such as sex, and no prediction."""
    words = {*split_words(name)}
    traits = ROLES["trait"] - {"train", "test"}  # tests may be of diagnosis, too
    return bool(words & traits) and words <= traits | BESIDE_ATTRIBUTES


def is_stratum(name: str) -> bool:
    """Return whether all words of a name are those of traits such as sex, a scanner or a site."""
    words = {*split_words(name)}
    return bool(words & ROLES["stratum"]) and words <= ROLES["stratum"] | BESIDE_STRATA


def is_positive(text: str, other: str) -> bool:
    """Return whether the first of two labels is the positive one: by lists, or as it is denied.

    A label that another one denies is positive unless a list has it as negative.
    """
    first, second = (CODE.sub("", label.casefold()) for label in (text, other))
    first, second = without_common_words(first, second)
    first, second = (next((s for s in STEMS if x.startswith(s)), x) for x in (first, second))
    if any(len(x) == 1 and x.isalpha() for x in (first, second)):
        return (first, second) in LETTERS
    if denies(second, first):
        return first not in NEGATIVE
    if denies(first, second):
        return second in NEGATIVE
    only_first_positive = first in POSITIVE and second not in POSITIVE
    only_second_negative = second in NEGATIVE and first not in NEGATIVE
    return only_first_positive or only_second_negative


def denies(label: str, other: str) -> bool:
    """Return whether a label is the denial of another: no_event of event, uninfected of infected.

    The prefixes un and in count only before a word that is in a list of labels.
    """
    is_listed = other in POSITIVE | NEGATIVE | RIGHT
    prefixes = (*DENIALS, *PREFIXES) if is_listed else DENIALS
    return any(label == prefix + other for prefix in prefixes)


def without_common_words(label_1: str, label_2: str) -> tuple[str, str]:
    """Return the last words in which two labels differ, if one is positive and one negative.

    These are positive and negative of tested_positive and tested_negative. Other labels are
    returned as they are.
    """
    words_1, words_2 = (re.findall(r"[^\W_]+", label) for label in (label_1, label_2))
    last_1 = next((word for word in reversed(words_1) if word not in words_2), "")
    last_2 = next((word for word in reversed(words_2) if word not in words_1), "")
    different = {last_1, last_2}
    if {*words_1} & {*words_2} and different & POSITIVE and different & NEGATIVE:
        return last_1, last_2
    return label_1, label_2


def axis_names(name: str) -> tuple[str, str] | None:
    """Return the words of a name of an axis of a map and of the other's; None for other names.

    ('x utm', 'y utm') of `X_UTM`.
    """
    words = split_words(name)
    axes = [word for word in words if word in AXES]
    if len(axes) != 1 or any(w not in BESIDE_AXES and not w.isdigit() for w in {*words} - {*axes}):
        return None
    return " ".join(words), " ".join(AXES.get(word, word) for word in words)
