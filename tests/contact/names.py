"""What people call outcomes, cases and models."""


def listed(text):
    """Return the words of a text."""
    return text.split()


OUTCOMES = listed("""
    diseased died relapse churn fraud default ziel befund outcome y_true label target event_30d
    readmitted icu_death cancer malignant Status Klasse krank verstorben rueckfall maladie deces
    décès rechute enfermo fallecido clicked converted is_spam toxic hate_speech passed loan_default
    gt gold_label ground_truth Y class positive_biopsy sepsis_onset pneumonia mortality_28d xyz
    v17 fallo responder survived_5y has_tumor dx hospdeath zielvariable gekündigt""")
IDS = listed("""
    id case_id row_id PassengerId patient_nr sample image filename study_id record_id Fallnummer
    image_id uid doc_id obs ID exam_number""")
MODELS = [
    ("old", "new"),
    ("logistic_regression", "random_forest"),
    ("XGBoost", "LightGBM"),
    ("model A", "model B"),
    ("prob_lr", "prob_rf"),
    ("p1", "p2"),
    ("resnet50", "vit_b16"),
    ("pred_m1", "pred_m2"),
    ("baseline", "ours"),
    ("CNN", "Radiologist"),
    ("score_v1", "score_v2"),
    ("Modell alt", "Modell neu"),
    ("qSOFA", "SOFA"),
    ("svm.score", "nb.score"),
    ("m1", "m2"),
    ("HEART", "TIMI"),
    ("bert-base", "bert-large"),
]
THIRD = ("third", "gbm", "kNN", "naive_bayes", "m3", "ensemble")
UNITS = listed("patient_id patient subject user_id Patient MRN author speaker site_patient")
FOLDS = listed("fold cv_fold split kfold fold_id Fold")
PAIRS = [  # negative, positive
    ("no", "yes"),
    ("benign", "malignant"),
    ("negative", "positive"),
    ("control", "case"),
    ("False", "True"),
    ("healthy", "sick"),
    ("alive", "dead"),
    ("nein", "ja"),
    ("N", "Y"),
    ("ham", "spam"),
    ("Normal", "Abnormal"),
    ("legit", "fraud"),
    ("non-toxic", "toxic"),
    ("gesund", "krank"),
    ("non", "oui"),
    ("stayed", "churned"),
    ("no relapse", "relapse"),
    ("absent", "present"),
    ("neg", "pos"),
]
UNKNOWN = [("A", "B"), ("1", "2"), ("red", "blue"), ("M0", "M1"), ("type I", "type II")]
CLASSES = [
    ("cat", "dog", "fox", "hen", "owl"),
    ("0", "1", "2"),
    ("setosa", "versicolor", "virginica"),
    ("negative", "neutral", "positive"),
    ("HP", "NORM", "CD", "MI"),
    ("1", "2", "3", "4"),
]
SETS = listed("""
    iris wine adult abalone mushroom car glass heart ecoli yeast vowel zoo sonar vehicle
    segment spambase letter credit-g""")
